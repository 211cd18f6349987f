# Loaded by Schemathesis: signs in by itself, and again before a session has sent as many requests as it may.
import json
import os
import urllib.request

import schemathesis


@schemathesis.auth(refresh_interval=40)
class Session:
    def get(self, case, context):
        request = urllib.request.Request(
            os.environ["EARSHOT_URL"] + "/public/sessions",
            data=json.dumps({"email": os.environ["EARSHOT_EMAIL"], "password": os.environ["EARSHOT_PASSWORD"]}).encode(),
            headers={"Content-Type": "application/json"},
        )
        with urllib.request.urlopen(request) as answer:
            return json.load(answer)["token"]

    def set(self, case, token, context):
        case.headers = case.headers or {}
        case.headers["Authorization"] = f"Bearer {token}"
