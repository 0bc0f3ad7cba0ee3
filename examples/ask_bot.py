"""Ask a bot on this machine as a channel would, and print what it sends: ``examples/ask_bot.py msteams``.

A bot answers the channel by requests of its own. What they bring is printed as a transcript: a JSON array.
"""

from __future__ import annotations

import json
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.request import Request, urlopen

CHANNEL = (sys.argv[1:] or ["webchat"])[0]
BOT = (sys.argv[2:] or ["http://127.0.0.1:3978/api/messages"])[0]
answered = threading.Event()
transcript: list[dict[str, object]] = []


class Channel(BaseHTTPRequestHandler):
    """Takes the activities that the bot sends to the question's ``serviceUrl``."""

    def do_POST(self) -> None:
        """Keep the activity; a message ends the conversation."""
        activity = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        transcript.append(activity)
        body = b'{"id": "1"}'
        self.send_response(201)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
        if activity["type"] == "message":
            answered.set()

    do_PUT = do_POST  # noqa: N815 - an update

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the parameter has this name
        """Nothing: what is printed is the bot's."""


server = ThreadingHTTPServer(("127.0.0.1", 0), Channel)
threading.Thread(target=server.serve_forever, daemon=True).start()
question = {
    "type": "message",
    "id": "question",
    "channelId": CHANNEL,
    "serviceUrl": f"http://127.0.0.1:{server.server_port}/",
    "conversation": {"id": "conversation", "conversationType": "personal", "tenantId": "tenant"},
    "from": {"id": "person", "role": "user"},
    "recipient": {"id": "bot", "role": "bot"},
    "text": "How do I set a proxy?",
}
asking = Request(BOT, json.dumps(question).encode(), {"Content-Type": "application/json"})  # noqa: S310
until = time.monotonic() + 30  # the bot may still be starting
while True:
    try:
        urlopen(asking).close()  # noqa: S310
        break
    except OSError as error:
        if "refused" not in str(error) or time.monotonic() > until:
            sys.exit(f"No bot takes the question at {BOT}: {error}")
    time.sleep(0.2)
if not answered.wait(30):
    sys.exit("No message came within 30 seconds.")
print(json.dumps(transcript))
