"""One answer on every channel: ``python -m examples.channels sms`` prints what its reader gets."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Final

from citations import Answer, LabelRanking, Reference, SensitivityLabel, channel, cite, render

QUESTION: Final = "My laptop was stolen. What now?"
LABELS: Final = LabelRanking(
    labels=(
        SensitivityLabel(id="general", name="General", priority=0, description="For everyone at work."),
        SensitivityLabel(
            id="confidential",
            name="Confidential",
            priority=1,
            description="For employees only. It can't be forwarded.",
            color="orange",
            encrypted=True,
        ),
    )
)
ANSWER: Final = Answer(
    text="Report it **within the hour** [1]. Call the security desk on extension 4400, at night as well [1], "
    "and the service desk locks your account [2].\n\n"
    "The insurance wants the number of the police report within three days [3].",
    references=(
        Reference(
            id="1",
            name="Security guide",
            url="https://intranet.example.com/security",
            text="A stolen device is reported to the security desk (extension 4400) within the hour.",
            label="general",
        ),
        Reference(
            id="2",
            name="IT service desk",
            url="https://intranet.example.com/service-desk",
            text="We lock an account as soon as we hear of it.",
        ),
        Reference(
            id="3",
            name="insurance.pdf",
            page=12,
            text="Theft is covered if the number of the police report arrives within three days.",
            media_type="application/pdf",
            label="confidential",
            extract=True,  # the reader has the right to copy from it
        ),
    ),
)


def main(arguments: Sequence[str]) -> int:
    """Print the text for each channel that is named; ``---`` stands between two messages."""
    for channel_id in arguments:
        print("\n---\n".join(texts(channel_id)))
    return 0


def texts(channel_id: str) -> tuple[str, ...]:
    """What a channel is sent, message by message; of one that speaks, what it says."""
    rendering = render(cite(ANSWER), channel(channel_id), ranking=LABELS)
    return (rendering.speak,) if rendering.speak else rendering.parts or (rendering.text,)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
