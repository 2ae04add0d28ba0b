#!/usr/bin/env python3
"""Asks a real API server about custom resource definitions and their objects, and writes what it
says as conversations that apiserver_player plays against ours.

  record.py URL FOLDER     URL: of a `kubectl proxy`
"""
import copy
import json
import re
import sys
import time
import urllib.error
import urllib.request

import cases

GROUPS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
TIMES = {"creationTimestamp", "deletionTimestamp", "lastTransitionTime"}


class Recorder:
    def __init__(self, url, name, about):
        self.url, self.name = url, name
        self.uids, self.versions = {}, set()
        self.file = {"name": name, "about": about, "sentences": True, "steps": []}

    def send(self, method, path, body=None, kind="application/json"):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.url + path, data, method=method)
        request.add_header("Accept", "application/json")
        if data is not None:
            request.add_header("Content-Type", kind)
        try:
            with urllib.request.urlopen(request) as answer:
                return answer.status, answer.headers, answer.read().decode()
        except urllib.error.HTTPError as error:
            return error.code, error.headers, error.read().decode()

    def clean(self, value, key=None):
        if isinstance(value, dict):
            return {k: self.clean(v, k) for k, v in value.items() if k != "managedFields"}
        if isinstance(value, list):
            return [self.clean(v) for v in value]
        if not isinstance(value, str):
            return value
        if key in TIMES:
            return "<time>"
        if key == "uid":
            return "<uid%d>" % self.uids.setdefault(value, len(self.uids) + 1)
        if key == "resourceVersion" and value.isdigit():
            self.versions.add(int(value))
            return "<rv:%s>" % value
        return value

    def step(self, method, path, body=None, kind="application/json"):
        code, headers, text = self.send(method, path, body, kind)
        request = {"method": method, "path": path}
        if body is not None:
            request["body"] = copy.deepcopy(body)
        if kind != "application/json":
            request["type"] = kind
        answer = {"code": code}
        if headers.get_content_type() != "application/json":
            answer.update(type=headers["Content-Type"], text=True)
        else:
            got = self.clean(json.loads(text))
            # Where several mistakes were made their order is that of a hash: the causes say it all.
            # Sentences of other refusals are the server's own.
            causes = got.get("details", {}).get("causes", [])
            if got.get("kind") == "Status" and "message" in got and len(causes) != 1:
                got["message"] = True
            answer["body"] = got
        warnings = headers.get_all("Warning") or []
        if warnings:
            answer["warnings"] = len(warnings)
        self.file["steps"].append({"req": request, "res": answer})
        return code, text

    def define(self, definition):
        """Creates the definition and waits until its objects are served."""
        code, text = self.step("POST", GROUPS, definition)
        if code != 201:
            raise SystemExit("%s: %s" % (self.name, text))
        self.settle(definition)

    def settle(self, definition):
        spec, name = definition["spec"], definition["metadata"]["name"]
        for _ in range(100):
            _, _, text = self.send("GET", GROUPS + "/" + name)
            conditions = json.loads(text)["status"].get("conditions") or []
            if any(c["type"] == "Established" and c["status"] == "True" for c in conditions):
                break
            time.sleep(0.1)
        served = next(v["name"] for v in spec["versions"] if v["served"])
        path = "/apis/%s/%s/%s" % (spec["group"], served, spec["names"]["plural"])
        for _ in range(100):
            if self.send("GET", path)[0] == 200:
                break
            time.sleep(0.1)
        time.sleep(1)

    def write(self, folder):
        ranks = {v: i + 1 for i, v in enumerate(sorted(self.versions))}
        text = json.dumps(self.file, indent=1, ensure_ascii=False)
        text = re.sub(r"<rv:(\d+)>", lambda m: "<rv%d>" % ranks[int(m.group(1))], text)
        with open("%s/%s.json" % (folder, self.name), "w") as out:
            out.write(text + "\n")


def main():
    url, folder = sys.argv[1:3]
    count = 0
    for name, about, play in cases.all_cases():
        recorder = Recorder(url, name, about)
        play(recorder)
        recorder.write(folder)
        count += len(recorder.file["steps"])
    print("recorded %d requests" % count)


main()
