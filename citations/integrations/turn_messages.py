"""The messages that a bot sends, on the way out: what two SDKs have in common.

The activities of botbuilder and of the Agents SDK have the same attributes, and so have their turns. Each
turn runs handlers before an activity is sent. A handler changes the list and the activities that it gets.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Iterable, Mapping, MutableMapping
from copy import copy
from dataclasses import replace
from typing import Any, Final

from .. import channels
from ..channels import Channel
from ..graph.schema_org import MESSAGE_TYPE
from ..labels.ranking import LabelRanking
from ..markdown import sanitize
from ..markers import cite
from ..model.answer import Answer
from ..model.citation import CitedAnswer
from ..model.errors import Problem
from ..model.reference import Reference
from ..model.rendering import Rendering
from ..model.typed import expect, expect_items
from ..renderer import render
from .content import REFERENCES, channel_data_of, clear_content

_MENTION: Final = re.compile(r"<at>(?P<name>[^<>]+)</at>")
"""A mention as Teams' text has it, and its name."""

Cites = Iterable[Reference] | Answer | CitedAnswer
"""What a bot leaves for a message: the references of its text, or an answer whose text is sent instead."""
FindChannel = Callable[[str, str], Channel]
"""The channel of an ``Activity.channelId`` and ``serviceUrl``, such as :func:`citations.channel`."""


class OutgoingMessages:
    """Writes text and graph of each message that cites, before it is sent.

    A message that only one person of a group saw is answered to that person alone, whatever is sent.

    - ``channel``: finds the channel of an activity; :func:`citations.channel`, or the same with ``cards`` or
      ``wording``.
    - ``ranking`` and ``live_hosts``: as for :func:`citations.render`.
    - ``report``: gets each problem of a message, such as a marker that names no reference.
    """

    _to_entity: Callable[[dict[str, object]], Any]
    """Makes the SDK's entity of a node."""

    def __init__(
        self,
        channel: FindChannel = channels.channel,
        *,
        ranking: LabelRanking | None = None,
        live_hosts: frozenset[str] = frozenset(),
        report: Callable[[Problem], object] = lambda _: None,
    ) -> None:
        self._find_channel = channel
        self._ranking = ranking
        self._live_hosts = live_hosts
        self._report = report

    async def send(self, context: Any, activities: list[Any], following: Callable[[], Awaitable[Any]]) -> Any:
        """Handle ``on_send_activities``: an answer in several parts becomes several activities."""
        activities[:] = [one for activity in activities for one in self.messages_of(context, activity)]
        return await self.send_written(context, activities, following)

    async def send_written(
        self, context: Any, activities: list[Any], following: Callable[[], Awaitable[Any]]
    ) -> Any:
        """Send what is written, to the asker alone where the question was for the bot alone."""
        if is_targeted(context.activity):
            activities[:] = [one for activity in activities if (one := self.address(activity))]
        return await following() if activities else []

    def address(self, activity: Any) -> Any:
        """Address ``activity`` to its recipient, one person of a group; None where it has no private form.

        Teams, "Targeted messages": "typing" has none.
        """
        raise NotImplementedError

    async def update(self, context: Any, activity: Any, following: Callable[[], Awaitable[Any]]) -> Any:
        """Handle ``on_update_activity``: the parts that the updated message can't hold follow as new ones."""
        texts = self.write(context, activity)
        if texts:
            activity.text = texts[0]
        if is_targeted(context.activity):
            activity.recipient = None  # Teams: with one, the update of a targeted message is a 400
            getattr(activity, "model_fields_set", set()).discard("recipient")
        updated = await following()
        if texts[1:]:
            await context.send_activities([_part(activity, text) for text in texts[1:]])
        return updated

    def messages_of(self, context: Any, activity: Any) -> list[Any]:
        """The messages that ``activity`` becomes: several, where one can't hold its answer."""
        texts = self.write(context, activity)
        if not texts:
            return [activity]
        *earlier, activity.text = texts
        return [*(_part(activity, text) for text in earlier), activity]

    def write(self, context: Any, activity: Any) -> tuple[str, ...]:
        """Write what ``activity`` cites into it; the texts of its messages, none where it cites nothing."""
        cites = self.take(context.turn_state, activity)
        if cites is None:
            return ()
        channel, text, mentions = self.channel_of(context), activity.text or "", _mentions_of(activity)
        if channel.graph is None or not channel.graph.is_of_teams:
            for mention, name in mentions:
                text = text.replace(mention, name)
        rendering = render(
            cite_message(text, cites),
            # All of its messages are sent: a person need not ask for more.
            replace(channel, at_once=None, speaks=channel.speaks or bool(activity.speak)),
            ranking=self._ranking,
            live_hosts=self._live_hosts,
        )
        for mention, _ in mentions:
            rendering = replace(rendering, text=rendering.text.replace(sanitize(mention), mention))
        self.fill(activity, rendering)
        self.report_problems(rendering)
        return rendering.parts or (rendering.text,)

    def take(self, turn_state: MutableMapping[str, Any], activity: Any) -> Cites | None:
        """Take what ``activity`` cites: its own, else what was left for the turn's next message.

        None that was left is no reference, as an empty list is: a retriever may have found nothing.
        """
        if activity.type != "message":
            return None
        data = channel_data_of(activity)
        if REFERENCES in data:
            own: Cites | None = data.pop(REFERENCES)
            activity.channel_data = data or None
            return own or ()
        # A card alone is no answer: the references are left for the text.
        if activity.text and REFERENCES in turn_state:
            return turn_state.pop(REFERENCES) or ()
        return None

    def channel_of(self, context: Any) -> Channel:
        """The channel of the turn."""
        # Agents SDK: a `ChannelId` may name a part of a channel, as in `msteams:copilot`.
        name = str(context.activity.channel_id or "").partition(":")[0]
        return self._find_channel(name, context.activity.service_url or "")

    def fill(self, activity: Any, rendering: Rendering) -> None:
        """Set what ``rendering`` has in ``activity``, and leave the bot's own fields.

        Where the answer is withheld, the bot's own fields may repeat it, so that they are not sent.
        """
        if rendering.is_withheld:
            for problem in clear_content(activity):
                self._report(problem)
        activity.text, activity.text_format = rendering.text, rendering.text_format
        if activity.speak or rendering.speak:
            activity.speak = rendering.speak
        if rendering.channel_data:
            activity.channel_data = {**channel_data_of(activity), **rendering.channel_data}
        # Teams: "Multiple root message entities found" is a 400.
        others = [one for one in activity.entities or () if getattr(one, "type", None) != MESSAGE_TYPE]
        activity.entities = [*map(self._to_entity, rendering.entities), *others]

    def report_problems(self, rendering: Rendering) -> None:
        """Report the problems of a whole message."""
        for problem in rendering.problems:
            self._report(problem)


def targeted_client(connector: Any, operations: str) -> Any:
    """A copy of an SDK's connector client that sends activities to one person alone.

    ``operations`` is the attribute with what it does in conversations. The client itself may serve other
    turns as well.
    """
    targeted, targeted_operations = copy(connector), copy(getattr(connector, operations))
    targeted_operations._client = _TargetedRequests(targeted_operations._client)
    setattr(targeted, operations, targeted_operations)
    return targeted


class _TargetedRequests:
    """The requests of an SDK's connector client, whose activities one person of a group alone sees.

    Teams, "Targeted messages": the query makes a message private, whatever its body has. botbuilder writes it
    into no request, the Agents SDK into no update.
    """

    def __init__(self, requests: Any) -> None:
        self._requests = requests

    def __getattr__(self, name: str) -> Any:
        method = getattr(self._requests, name)
        if name not in {"post", "put", "delete"}:
            return method

        def request(url: str, params: Mapping[str, str] | None = None, *others: Any, **named: Any) -> Any:
            mark = {"isTargetedActivity": "true"} if "/activities" in url else {}
            query = {**(params or {}), **mark}
            return method(url, query, *others) if others else method(url, params=query, **named)

        return request


def is_targeted(activity: Any) -> bool:
    """Whether a message of a group's member is for the bot alone, as Teams marks it in ``recipient``.

    The mark is no field of the SDKs' models. It goes with a conversation reference into proactive turns.
    """
    recipient = activity.recipient
    marks = getattr(recipient, "additional_properties", None) or getattr(recipient, "model_extra", None) or {}
    return bool(marks.get("isTargeted"))


def cite_message(text: str, cites: Cites | None) -> CitedAnswer:
    """Cite ``text`` by its references, or the answer that was given instead of them.

    Raises ``TypeError`` for a text or references of another type.
    """
    if isinstance(cites, CitedAnswer):
        return cites
    if isinstance(cites, Answer):
        return cite(cites)
    expect(text, str, "a message has a text, and then what it cites, which may be an answer instead of both")
    return cite(Answer(text=text, references=references_of(cites)))


def references_of(cites: Cites | None) -> tuple[Reference, ...]:
    """The references; None is no reference. Raises ``TypeError`` where one is of another type."""
    found = cites.references if isinstance(cites, Answer | CitedAnswer) else cites
    return () if found is None else expect_items(found, Reference, "references")


def _mentions_of(activity: Any) -> list[tuple[str, str]]:
    """The mentions that the bot's code added, and their names. One with signs of Markdown stays text."""
    texts = [
        getattr(one, "text", None) for one in activity.entities or () if getattr(one, "type", "") == "mention"
    ]
    found = [_MENTION.fullmatch(one) for one in texts if one]
    return [(one[0], one["name"]) for one in found if one and sanitize(one["name"]) == one["name"]]


def _part(activity: Any, text: str) -> Any:
    """A message with another part of the answer. What else the bot sends stays with ``activity``."""
    part = copy(activity)
    part.text = text
    if part.attachments:
        part.attachments = []
    if part.suggested_actions:
        part.suggested_actions = None
    return part
