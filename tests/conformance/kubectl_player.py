#!/usr/bin/env python3
"""Plays the recorded kubectl sessions of conformance/apiserver against our server.

usage: kubectl_player.py PLAIN_SERVER FOLDER [--kubectl PATH] [--must FILE] [--show] [NAME...]

PLAIN_SERVER is the built plain_server; FOLDER holds the scenarios. Each scenario gets a fresh
server and runs its commands with a real kubectl, through a proxy that notes what is asked.
Compared are exit code, output, whether anything went to standard error, and the requests that
change something with their bodies and codes; what it reads beside that is kubectl's own affair. NAME plays only scenarios that start with it. --show prints the first
difference of each failing one. --must FILE: fails if a scenario listed there fails. Without a
kubectl nothing is played, and that is said.
"""
import http.client
import http.server
import json
import os
import re
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
# Stand for something else each time; the others for the same thing wherever they are.
FREE = {"rv", "time", "age", "hash", "etag", "n", "LIVE", "MERGED"}
PLACEHOLDER = re.compile(r"<(rv\d*|uid\d+|gen\d+|ip\d+|port\d+|continue\d+|time|age|hash|etag|token"
                         r"|n|LIVE|MERGED)>")
DISCOVERY = re.compile(r"^/(openapi|version)\b|^/api$|^/apis(/[^/]+){0,2}$|^/api/v1$")


class Recorder(http.server.BaseHTTPRequestHandler):
    """Passes requests on to the server and notes them."""
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def body(self):
        if self.headers.get("Transfer-Encoding", "") != "chunked":
            return self.rfile.read(int(self.headers.get("Content-Length") or 0))
        pieces = []
        while True:
            size = int(self.rfile.readline(), 16)
            pieces.append(self.rfile.read(size))
            self.rfile.readline()
            if size == 0:
                return b"".join(pieces)

    def forward(self):
        body = self.body()
        connection = http.client.HTTPConnection("127.0.0.1", self.server.target)
        headers = {k: v for k, v in self.headers.items() if k.lower() not in ("host", "connection", "transfer-encoding")}
        connection.request(self.command, self.path, body or None, headers)
        answer = connection.getresponse()
        entry = {"method": self.command, "path": self.path, "code": answer.status,
                 "type": self.headers.get("Content-Type"), "body": body}
        self.server.entries.append(entry)
        self.send_response(answer.status)
        known = answer.getheader("Content-Length")
        for name, value in answer.getheaders():
            if name.lower() not in ("transfer-encoding", "connection", "date", "server"):
                self.send_header(name, value)
        bodiless = answer.status in (204, 304) or self.command == "HEAD"
        if known is None and not bodiless:
            self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        try:
            while not bodiless:
                piece = answer.read1(65536)
                if not piece:
                    break
                self.wfile.write(piece if known is not None
                                 else b"%x\r\n%s\r\n" % (len(piece), piece))
                self.wfile.flush()
            if known is None and not bodiless:
                self.wfile.write(b"0\r\n\r\n")
        except (BrokenPipeError, ConnectionResetError, http.client.IncompleteRead):
            self.close_connection = True
        connection.close()

    do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = do_HEAD = do_OPTIONS = forward


class Bindings:
    """What the placeholders stand for, learnt at their first appearance."""

    def __init__(self):
        self.bound = {}

    def fill(self, value):
        if isinstance(value, str):
            value = re.sub(r"<fill:(.):(\d+)>", lambda m: m[1] * int(m[2]), value)
            return PLACEHOLDER.sub(lambda m: self.bound.get(m[1], m[0]), value)
        if isinstance(value, list):
            return [self.fill(v) for v in value]
        if isinstance(value, dict):
            return {self.fill(k): self.fill(v) for k, v in value.items()}
        return value

    def match(self, expected, actual):
        pattern, last, here = "", 0, {}
        for found in PLACEHOLDER.finditer(expected):
            pattern += re.escape(expected[last:found.start()])
            last, name = found.end(), found[1]
            if name in FREE:
                pattern += r"\S*" if name not in ("time",) else r".*?"
            elif name in self.bound:
                pattern += re.escape(self.bound[name])
            elif name in here:
                pattern += "(?P=%s)" % name
            else:
                here[name] = True
                pattern += r"(?P<%s>[^\s\"/,]+)" % name
        found = re.fullmatch(pattern + re.escape(expected[last:]), actual, re.S)
        if not found:
            return False
        self.bound.update(found.groupdict())
        return True

    def same(self, want, got, at=""):
        """The first difference of two JSON values, or None."""
        if want is True and at.endswith(".message"):
            return None
        if isinstance(want, dict) and isinstance(got, dict):
            keys = [k for k in want if k != "managedFields" or "managedFields" in got]
            for key in keys:
                if "<" in key:
                    continue
                if key not in got:
                    return "%s.%s is missing" % (at, key)
                difference = self.same(want[key], got[key], "%s.%s" % (at, key))
                if difference:
                    return difference
            extra = set(got) - set(want) - {"managedFields"}
            if any("<" in k for k in want):
                return None
            return "%s: more: %s" % (at, sorted(extra)) if extra else None
        if isinstance(want, list) and isinstance(got, list) and len(want) == len(got):
            for i, pair in enumerate(zip(want, got)):
                difference = self.same(*pair, "%s[%d]" % (at, i))
                if difference:
                    return difference
            return None
        if isinstance(want, str) and isinstance(got, str):
            return None if self.match(want, got) else "%s: want %r got %r" % (at, want, got)
        return None if want == got else "%s: want %r got %r" % (at, want, got)


def pruned(value):
    """Without nulls and what is empty: which of these a client writes is its own affair."""
    if isinstance(value, dict):
        value = {k: pruned(v) for k, v in value.items()}
        return {k: v for k, v in value.items() if v not in (None, {}, [])}
    return [pruned(v) for v in value] if isinstance(value, list) else value


def tidy(text):
    """Widths of columns follow ages, and what is at a line's end is not seen. Newer lines of
    kubectl say the namespace of what they delete and no version of kube-proxy."""
    text = re.sub(r"(Resource Version:\s+)\d+", r"\1<n>", text)
    text = re.sub(r"( deleted) from \S+ namespace", r"\1", text)
    text = re.sub(r"\n\s*Kube-Proxy Version:[^\n]*", "", text)
    return "\n".join(re.sub(r"[ \t]+", " ", line).rstrip() for line in text.split("\n"))


def sorted_query(path):
    base, _, query = path.partition("?")
    terms = []
    for name, value in urllib.parse.parse_qsl(query, keep_blank_values=True):
        if name == "fieldSelector":
            value = ",".join(sorted(value.split(",")))
        if name == "continue":  # the server's own affair
            value = "token"
        terms.append("%s=%s" % (name, value))
    return base + ("?" + "&".join(sorted(terms)) if terms else "")


class Session:
    def __init__(self, scenario, plain_server, kubectl, folder):
        self.scenario, self.folder, self.bindings = scenario, folder, Bindings()
        self.process = subprocess.Popen([plain_server], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, text=True)
        self.target = int(self.process.stdout.readline())
        self.proxy = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Recorder)
        self.proxy.daemon_threads = True
        self.proxy.target, self.proxy.entries = self.target, []
        threading.Thread(target=self.proxy.serve_forever, daemon=True).start()
        self.namespace = scenario.get("ns", "default")
        os.symlink(os.path.abspath(kubectl), os.path.join(folder, "kubectl"))
        with open(os.path.join(folder, "config"), "w", encoding="utf-8") as file:
            json.dump({"apiVersion": "v1", "kind": "Config", "current-context": "c",
                       "clusters": [{"name": "c", "cluster": {
                           "server": "http://127.0.0.1:%d" % self.proxy.server_address[1]}}],
                       "contexts": [{"name": "c", "context": {
                           "cluster": "c", "user": "u", "namespace": self.namespace}}],
                       "users": [{"name": "u", "user": {}}]}, file)
        # As the recorded line of kubectl: a list before each watch.
        self.environment = dict(os.environ, HOME=folder, KUBE_FEATURE_WatchListClient="false", KUBECONFIG=os.path.join(folder, "config"),
                                PATH=folder + os.pathsep + os.environ["PATH"])
        if "ns" in scenario:
            self.ask("POST", "/api/v1/namespaces", {"metadata": {"name": self.namespace}})
        if "cold" not in scenario["about"]:
            subprocess.run(["kubectl", "api-resources"], env=self.environment, check=False,
                           capture_output=True)

    def close(self):
        self.process.stdin.close()
        self.process.wait(10)
        self.process.stdout.close()
        self.proxy.shutdown()
        self.proxy.server_close()

    def ask(self, method, path, body=None, kind=None, accept="application/json"):
        connection = http.client.HTTPConnection("127.0.0.1", self.target)
        headers = {"Accept": accept}
        if body is not None:
            headers["Content-Type"] = kind or "application/json"
        connection.request(method, path, None if body is None else json.dumps(body), headers)
        answer = connection.getresponse()
        text = answer.read()
        connection.close()
        return answer.status, text

    def play(self):
        for number, step in enumerate(self.scenario["steps"]):
            difference = self.command(step) if "cmd" in step else self.request(step)
            if difference:
                return "step %d: %s" % (number, difference)
        return None

    def request(self, step):
        req, res = step["req"], step["res"]
        code, text = self.ask(req["method"], self.bindings.fill(req["path"]),
                              self.bindings.fill(req.get("body")), req.get("type"))
        what = "%s %s" % (req["method"], req["path"])
        if code != res["code"]:
            return "%s: want %d got %d %s" % (what, res["code"], code, text[:300])
        if "body" not in res:
            return None
        difference = self.bindings.same(res["body"], json.loads(text))
        return difference and "%s: %s" % (what, difference)

    def command(self, step):
        started = len(self.proxy.entries)
        environment = dict(self.environment, **step.get("env", {}))
        out_path, err_path = (os.path.join(self.folder, n) for n in ("stdout", "stderr"))
        with open(out_path, "w", encoding="utf-8") as out, open(err_path, "w", encoding="utf-8") as err:
            running = subprocess.Popen(["sh", "-c", self.bindings.fill(step["cmd"])], env=environment,
                                       stdin=subprocess.PIPE, stdout=out, stderr=err)
            if "stdin" in step:
                running.stdin.write(json.dumps(self.bindings.fill(step["stdin"])).encode())
            running.stdin.close()
            problem = self.meanwhile(step, started)
            try:
                code = running.wait(40 if "exit" in step else 1)
            except subprocess.TimeoutExpired:
                subprocess.run(["pkill", "-P", str(running.pid)], check=False)
                running.kill()
                code = running.wait()
        with open(out_path, encoding="utf-8") as file:
            out = file.read()
        with open(err_path, encoding="utf-8") as file:
            err = file.read()
        difference = problem or self.compare(step, code, out, err, started)
        return difference and "%s: %s" % (step["cmd"], difference)

    def meanwhile(self, step, started):
        """Plays what others did while the command ran, once it waits."""
        if "meanwhile" not in step:
            return None
        wanted = len([r for r in step["requests"] if not self.is_discovery(r["path"])])
        for _ in range(100):
            asked = [e for e in self.proxy.entries[started:] if not self.is_discovery(e["path"])]
            if len(asked) >= wanted:
                break
            time.sleep(0.05)
        for other in step["meanwhile"]:
            time.sleep(0.3)
            difference = self.request(other)
            if difference:
                return "meanwhile " + difference
        return None

    @staticmethod
    def is_discovery(path):
        return DISCOVERY.match(path.partition("?")[0]) is not None

    def compare(self, step, code, out, err, started):
        if "exit" in step and code != step["exit"]:
            return "want exit %d got %d: %s%s" % (step["exit"], code, out[-300:], err[-500:])
        # Only some lines of kubectl remark on the deletion of what has no namespace.
        quiet = " delete " in step["cmd"] and code == 0
        if not quiet and bool(err) != bool(step.get("stderr")):
            return "standard error: %r" % err[:300]
        want, got = tidy(step.get("stdout", "")), tidy(out)
        if " explain " in step["cmd"]:
            wanted = {line.strip() for line in want.split("\n")}
            got = "\n".join(l for l in got.split("\n") if l.strip() in wanted)
        # What a client makes up itself, and what only some lines of kubectl print.
        own_affair = "--dry-run=client" in step["cmd"] or " create --raw " in step["cmd"]
        if not own_affair and not self.bindings.match(want, got):
            return "want output\n%s\ngot\n%s" % (want, got)
        return self.compare_requests(step, started)

    def compare_requests(self, step, started):
        """What changes something is compared in order. What is only read is kubectl's own affair
        and differs between its lines: of that, the codes of what both asked."""
        want = [r for r in step.get("requests", []) if not self.is_discovery(r["path"])]
        got = [e for e in self.proxy.entries[started:] if not self.is_discovery(e["path"])]
        codes = {sorted_query(e["path"]): e["code"] for e in got if e["method"] == "GET"}
        for r in want:
            path = sorted_query(self.bindings.fill(r["path"]))
            if r["method"] == "GET" and codes.get(path, r["code"]) != r["code"]:
                return "GET %s: want %d got %d" % (path, r["code"], codes[path])
        want = [r for r in want if r["method"] != "GET"]
        got = [e for e in got if e["method"] != "GET"]
        if len(want) != len(got):
            return "want %d requests got %s" % (len(want), [(e["method"], e["path"]) for e in got])
        for w, g in zip(want, got):
            line = "%s %s %d" % (w["method"], sorted_query(w["path"]), w["code"])
            asked = "%s %s %d" % (g["method"], sorted_query(g["path"]), g["code"])
            if not self.bindings.match(line, asked):
                return "want %s got %s" % (line, asked)
            if isinstance(w.get("body"), (dict, list)) and g["body"]:
                difference = self.bindings.same(pruned(w["body"]), pruned(json.loads(g["body"])))
                if difference:
                    return "%s: body%s" % (line, difference)
        return None


def arguments(argv):
    options = {"--kubectl": os.path.join(ROOT, ".cache", "oracle", "bin", "kubectl"), "--must": ""}
    show, rest = False, []
    argv = list(argv)
    while argv:
        word = argv.pop(0)
        if word == "--show":
            show = True
        elif word in options:
            options[word] = argv.pop(0)
        else:
            rest.append(word)
    if len(rest) < 2:
        sys.exit(__doc__)
    return options["--kubectl"], options["--must"], show, rest[0], rest[1], rest[2:]


def main():
    kubectl, must, show, plain_server, folder, names = arguments(sys.argv[1:])
    if not os.path.exists(kubectl):
        print("kubectl: left out, no kubectl at %s" % kubectl)
        return 0
    listed = set(open(must, encoding="utf-8").read().split()) if must else set()
    passed, failed, broken = 0, 0, 0
    for file in sorted(os.listdir(folder)):
        name = file[:-5]
        if not file.startswith("kubectl-") or (names and not any(map(name.startswith, names))):
            continue
        with open(os.path.join(folder, file), encoding="utf-8") as source:
            scenario = json.load(source)
        with tempfile.TemporaryDirectory() as home:
            session = Session(scenario, plain_server, kubectl, home)
            try:
                difference = session.play()
            finally:
                session.close()
        passed, failed = passed + (not difference), failed + bool(difference)
        regressed = bool(difference) and name in listed
        broken += regressed
        if difference and (show or regressed):
            print("%s: %s" % (name, difference))
        elif show:
            print("%s: passed" % name)
    print("kubectl: %d passed, %d failed" % (passed, failed))
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
