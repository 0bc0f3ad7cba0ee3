"""Rules of the claims, and of their agreement with the link definitions, in Web Chat."""

from __future__ import annotations

from typing import Final

from .rule import CITATION_MD, CLAIM_TS, LINKS_TS, RENDER_TS, TEXT_TSX, Rule, RuleTable

_MATCHING: Final = f"{CITATION_MD}#using-position-instead-of-id-to-match-links-from-markdown-to-claim"
_TRUTH: Final = f"{CITATION_MD}#source-of-truths"
_BARE: Final = "A badge and a row that are bare links: no passage, no label, and no name of the graph."

ROWS: RuleTable = {
    "claim-dropped": Rule(
        wrong="this citation is dropped",
        shown=_BARE,
        mend='it must be a node of @type "Claim", its @id a string',
        source=CLAIM_TS,
    ),
    "claim-type": Rule(
        wrong='"Subclasses are not supported"',
        shown="What Web Chat 4.18.1 shows of a Claim. Other versions and clients may drop it.",
        mend='@type must be "Claim"',
        source=f"{CITATION_MD}#message-object",
    ),
    "too-many-citations": Rule(
        wrong="{count} citations, while Web Chat's time grows with their square, and Teams takes {most}",
        shown="A page that stands still: the main build takes 8 seconds for 100 citations.",
        mend="cite fewer",
        source=TEXT_TSX,
    ),
    "position": Rule(
        wrong="this claim matches no link definition",
        shown=_BARE,
        mend='position must be the number of one, such as "1"',
        source=_MATCHING,
    ),
    "duplicate-position": Rule(
        wrong="position {position} is {other}'s, so that this claim isn't shown",
        shown="A badge and a row of this source that are bare links, or none.",
        mend="number anew",
        source=TEXT_TSX,
    ),
    "not-a-string": Rule(
        wrong="Web Chat drops this value",
        shown="A citation without it: a badge without its name, or a dialog that ends Web Chat.",
        mend="{key} must be a string",
        source=CLAIM_TS,
    ),
    "claim-name": Rule(
        wrong="the list shows this name, and the passage's heading appearance.name",
        shown="Two names of one source.",
        mend="omit the claim's",
        source=TEXT_TSX,
    ),
    "claim-without-appearance": Rule(
        wrong="without an appearance of a @type the citation is a bare link, with no passage and no label",
        shown=_BARE,
        mend="add it",
        source=TEXT_TSX,
    ),
    "passage-missing": Rule(
        wrong="a click on this citation ends Web Chat, for it has neither a URL nor a text",
        shown="A white page, and no conversation, after the click.",
        mend="give it a url, or a passage in text (abstract doesn't serve)",
        source=TEXT_TSX,
    ),
    "passage-empty": Rule(
        wrong="a click on this citation opens an empty dialog",
        shown="A dialog with a heading, and nothing below it.",
        mend="give it a passage",
        source=TEXT_TSX,
    ),
    "unsafe-url": Rule(
        wrong="Web Chat 4.18 makes a live link of {url!r}",
        shown="In the list, a link that runs or opens what the answer says. The badge is raw text.",
        mend="use http or https, or omit it",
        source=TEXT_TSX,
    ),
    "url": Rule(
        wrong="{url!r} opens nothing, or not what it seems",
        shown="A link to another place than its beginning says, or a dead one.",
        mend="use http or https without a user name",
        source="https://url.spec.whatwg.org/#example-url-parsing",
    ),
    "date": Rule(
        wrong="{date!r} is no date of ISO 8601, and means another day elsewhere",
        shown="Nothing of it in these builds. A reader of the graph takes 03/01 for March or for January.",
        mend="write it as 2024-03-01, or as 2024-03-01T15:56:27Z",
        source="https://schema.org/dateModified",
    ),
    "url-encoding": Rule(
        wrong="{url!r} isn't ASCII, or is spelt otherwise than in its definition, so that its badge loses "
        "its style",
        shown="A plain link with the number, and no badge.",
        mend="write both the same, in ASCII, percent-encoded",
        source=LINKS_TS,
    ),
    "interpreter-unnamed": Rule(
        wrong="nothing is shown of this claimInterpreter",
        shown="A message without the line that says who interpreted its sources.",
        mend="give it a slogan or a name",
        source=f"{CITATION_MD}#message-object",
    ),
    "interpreter-not-first": Rule(
        wrong="only the first claim's claimInterpreter is shown",
        shown="A message without the line that says who interpreted its sources.",
        mend="give every claim the same",
        source="seen in Web Chat 4.18.1 and its main build",
    ),
    "claim-without-definition": Rule(
        wrong="this citation isn't shown, for the text has no definition [{position}] at the margin",
        shown="The bare [number] in the text, and no row in the list.",
        mend='add the line "[{position}]: URL "title"" below the text, after a blank line',
        source=_MATCHING,
    ),
    "definition-opens-nothing": Rule(
        wrong="[{label}] leads to {url!r}, which opens nothing",
        shown="A dead badge. Its row is a dead link in Web Chat 4.18.1, and missing in its main build.",
        mend='give it a claim with position "{label}" and a passage',
        source=_MATCHING,
    ),
    "definition-without-claim": Rule(
        wrong="[{label}] is a bare link, without passage and label",
        shown=_BARE,
        mend='give it a claim with position "{label}"',
        source=_MATCHING,
    ),
    "name-mismatch": Rule(
        wrong="the list says {name!r} and the badge {title!r}",
        shown="One name in the list, and another one for screen readers.",
        mend="make name and title the same",
        source=_TRUTH,
    ),
    "title-missing": Rule(
        wrong="[{label}] has no title, so that a screen reader says its host or number only",
        shown="A badge without the name of its source for people who listen.",
        mend="add its name",
        source=LINKS_TS,
    ),
    "cite-with-url": Rule(
        wrong="[{label}] leads to {url!r}, and its badge does nothing",
        shown="A dead badge. Its row opens the URL in Web Chat 4.18.1, and is missing in its main build.",
        mend="put the URL into the definition, or omit it here",
        source=_TRUTH,
    ),
    "url-mismatch": Rule(
        wrong="the badge opens {url!r}, and the list this",
        shown="In Web Chat 4.18.1 two targets of one citation; in its main build the definition's for both.",
        mend="make both the same",
        source=_TRUTH,
    ),
    "passage-on-url": Rule(
        wrong="the list opens the passage, and badge [{label}] the URL",
        shown="Two targets of one citation.",
        mend="add url, or define it as cite:…",
        source=f"{CITATION_MD}#non-url-citation",
    ),
    "cite-characters": Rule(
        wrong="badge [{label}] does nothing, for its destination changes on the way",
        shown="A dead badge, while its row in the list opens the passage.",
        mend="use cite:{label}",
        source=RENDER_TS,
    ),
    "attachment-reuses-label": Rule(
        wrong="its [{label}] is shown as citation {label} of the message",
        shown="The message's name and target at a number of the attachment.",
        mend="number on from there",
        source=TEXT_TSX,
    ),
    "passage-link": Rule(
        wrong="the document's own link to {url!r} is shown as one of yours",
        shown="A link in the dialog that you didn't choose to offer.",
        mend="escape its bracket or <, and name the source in a link that you put below it",
        source=f"{CITATION_MD}#non-url-citation",
    ),
    "bidi-control": Rule(
        wrong="{character} reorders what is shown, so that a name or a URL reads as another",
        shown="Letters in another order: behind U+202E, “evil” reads “live”.",
        mend="remove the control",
        source="https://www.unicode.org/reports/tr36/#Bidirectional_Text_Spoofing",
    ),
}
