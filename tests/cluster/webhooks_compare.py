#!/usr/bin/env python3
"""Has two API servers call the same webhooks and compares what they ask and what they answer.

    webhooks_compare.py KUBECONFIG KUBECONFIG [CASE...]    compare the first (the judge) with the second
    webhooks_compare.py KUBECONFIG                         only print what it asks and answers

Each case is some webhooks, what they answer, and some writes. Compared are code, reason, message,
details and warnings of every answer, and every review that the webhooks got. Exit: 0 alike, 1
different, 2 usage.
"""
import base64, http.server, json, os, re, ssl, subprocess, sys, tempfile, threading, time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from policies_compare import Server

GROUP = "/apis/admissionregistration.k8s.io/v1"
MAPS = "/api/v1/namespaces/default/configmaps"
PODS = "/api/v1/namespaces/default/pods"
CONTROLLERS = "/api/v1/namespaces/default/replicationcontrollers"
MERGE = "application/merge-patch+json"
APPLY = "application/apply-patch+yaml"


class Hooks:
    """One HTTPS server that plays all webhooks: the last part of the path says which."""

    def __init__(self):
        folder = tempfile.mkdtemp()
        run = lambda *args: subprocess.run(args, check=True, capture_output=True, cwd=folder)
        run("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", "ca.key", "-out",
            "ca.crt", "-subj", "/CN=ca", "-days", "2", "-addext", "basicConstraints=critical,CA:TRUE")
        run("openssl", "req", "-newkey", "rsa:2048", "-nodes", "-keyout", "s.key", "-out", "s.csr",
            "-subj", "/CN=hook")
        open(folder + "/ext", "w").write("subjectAltName=IP:127.0.0.1,DNS:hook.default.svc\n")
        run("openssl", "x509", "-req", "-in", "s.csr", "-CA", "ca.crt", "-CAkey", "ca.key", "-out",
            "s.crt", "-days", "2", "-extfile", "ext", "-CAcreateserial")
        self.ca = base64.b64encode(open(folder + "/ca.crt", "rb").read()).decode()
        self.answers, self.reviews, self.markers = {}, [], set()
        hooks = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                name = self.path.split("?")[0].strip("/").split("/")[-1]
                if name.startswith("marker-"):
                    hooks.markers.add(name)
                    answer = {"allowed": True}
                else:
                    hooks.reviews.append((name, self.path.split("?")[-1], body))
                    answer = hooks.answers.get(name, {"allowed": True})
                    if callable(answer):
                        answer = answer(body["request"])
                status, text = 200, answer
                if isinstance(answer, tuple):
                    status, text = answer
                if isinstance(text, dict):
                    if "response" not in text and "kind" not in text:
                        text = {"apiVersion": body["apiVersion"], "kind": "AdmissionReview",
                                "response": dict({"uid": body["request"]["uid"]}, **text)}
                    text = json.dumps(text)
                data = text.encode()
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.handle_error = lambda *_: None  # callers give up
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(folder + "/s.crt", folder + "/s.key")
        self.server.socket = context.wrap_socket(self.server.socket, server_side=True)
        self.port = self.server.server_address[1]
        threading.Thread(target=self.server.serve_forever, daemon=True).start()


def patch(operations, **more):
    data = json.dumps(operations) if not isinstance(operations, str) else operations
    return dict({"allowed": True, "patchType": "JSONPatch",
                 "patch": base64.b64encode(data.encode()).decode()}, **more)


def add(path, value):
    return {"op": "add", "path": path, "value": value}


def hook(name, mutating=False, resources=("configmaps",), answer=None, groups=("*",),
         versions=("*",), operations=("*",), scope="*", client=None, **more):
    return {"name": name, "mutating": mutating, "answer": answer, "client": client,
            "spec": dict({"rules": [{"operations": list(operations), "apiGroups": list(groups),
                                     "apiVersions": list(versions), "resources": list(resources),
                                     "scope": scope}],
                          "namespaceSelector": {"matchLabels": {
                              "kubernetes.io/metadata.name": "default"}},
                          "sideEffects": "None", "admissionReviewVersions": ["v1"]}, **more)}


def config(name="m", data=None, **metadata):
    body = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": dict({"name": name}, **metadata)}
    if data:
        body["data"] = data
    return body


def deny(**status):
    return {"allowed": False, "status": status}


CREATE = [("POST", MAPS, config(data={"a": "b"}))]
# Of a kind that neither of the two runs.
CONTROLLER = {"apiVersion": "v1", "kind": "ReplicationController", "metadata": {"name": "d"}, "spec": {
    "replicas": 1, "selector": {"a": "b"}, "template": {
        "metadata": {"labels": {"a": "b"}}, "spec": {"containers": [{"name": "c", "image": "i"}]}}}}
POD = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "p"},
       "spec": {"schedulerName": "none", "containers": [{"name": "c", "image": "i"}]}}


def refusals():
    answers = {
        "plain": deny(message="no"), "code": deny(code=418, message="no", reason="Teapot"),
        "reason only": deny(reason="Because"), "nothing": {"allowed": False},
        "low code": deny(code=200, message="no"), "success": deny(status="Success", message="no"),
        "not said": {}, "details": deny(code=422, reason="Invalid", message="bad", details={
            "name": "n", "kind": "k", "group": "g", "retryAfterSeconds": 3, "causes": [
                {"reason": "FieldValueInvalid", "field": "a.b", "message": "c"}]}),
        "warned": {"allowed": False, "warnings": ["be careful", "be careful", 'with "quotes"']},
        "warning only": {"allowed": True, "warnings": ["be careful"]},
        "annotated": {"allowed": True, "auditAnnotations": {"a": "b"}},
    }
    for mutating in (False, True):
        for name, answer in answers.items():
            yield ("refusal: %s%s" % (name, " (mutating)" if mutating else ""),
                   [hook("a", mutating, answer=answer)], [], CREATE)


def failures():
    uid = {"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview"}
    answers = {
        "other uid": {"allowed": True, "uid": "x"}, "no response": uid, "no json": (200, "hello"),
        "empty": (200, ""), "a list": (200, "[]"), "500": (500, "broken"), "404": (404, "gone"),
        "400": (400, "what"), "401": (401, "who"), "403": (403, "no"), "429": (429, "busy"),
        "503": (503, "later"), "504": (504, "late"), "502": (502, "gateway"),
        "a status": (500, {"kind": "Status", "apiVersion": "v1", "status": "Failure",
                           "message": "own words", "reason": "InternalError", "code": 500}),
        "other kind": lambda r: (200, json.dumps({"apiVersion": "admission.k8s.io/v1", "kind": "Other",
                                                  "response": {"uid": r["uid"], "allowed": True}})),
        "other version": lambda r: (200, json.dumps({
            "apiVersion": "admission.k8s.io/v1beta1", "kind": "AdmissionReview",
            "response": {"uid": r["uid"], "allowed": True}})),
        "patch without type": {"allowed": True, "patch": "W10="},
        "type without patch": {"allowed": True, "patchType": "JSONPatch"},
        "empty type": {"allowed": True, "patchType": ""},
        "slow": lambda r: (time.sleep(1.5), {"allowed": True})[1],
    }
    for mutating in (False, True):
        for policy in ("Fail", "Ignore"):
            for name, answer in answers.items():
                more = {"timeoutSeconds": 1} if name == "slow" else {}
                yield ("failure: %s, %s%s" % (name, policy, " (mutating)" if mutating else ""),
                       [hook("a", mutating, answer=answer, failurePolicy=policy, **more)], [], CREATE)


def patches():
    operations = {
        "data": [add("/data/x", "y")], "labels": [add("/metadata/labels", {"x": "y"})],
        "nothing": [], "same": [add("/data/a", "b")], "missing": [{"op": "remove", "path": "/x/y"}],
        "unknown field": [add("/nonsense", {"a": 1})], "wrong type": [add("/data", "text")],
        "invalid label": [add("/metadata/labels", {"a b": "c"})], "no list": "{}", "no json": "x",
        "name": [add("/metadata/name", "other")], "namespace": [add("/metadata/namespace", "kube-system")],
        "bad op": [{"op": "increase", "path": "/data"}], "failed test": [{"op": "test", "path": "/data/a", "value": "z"}],
        "null": [add("/data", None)], "whole": [{"op": "replace", "path": "", "value": config("m", {"w": "1"})}],
        "kind": [add("/kind", "Secret")], "finalizer": [add("/metadata/finalizers", ["a.b/c"])],
    }
    for name, value in operations.items():
        yield ("patch: " + name, [hook("a", True, answer=patch(value))], [],
               CREATE + [("GET", MAPS + "/m", None)])
    yield ("patch: other type", [hook("a", True, answer=patch([add("/data/x", "y")], patchType="Merge"))],
           [], CREATE)
    yield ("patch: not allowed", [hook("a", True, answer=patch([add("/data/x", "y")], allowed=False))],
           [], CREATE)
    yield ("patch: by a validating one", [hook("a", answer=patch([add("/data/x", "y")]))], [], CREATE)
    yield ("patch: of a deletion", [hook("a", True, operations=["DELETE"], answer=patch([add("/data/x", "y")]))],
           CREATE, [("DELETE", MAPS + "/m", None)])
    yield ("patch: of an update", [hook("a", True, operations=["UPDATE"], answer=patch([add("/data/x", "y")]))],
           CREATE, [("PATCH", MAPS + "/m", {"data": {"c": "d"}}, MERGE), ("GET", MAPS + "/m", None)])
    yield ("patch: defaults are filled in",
           [hook("a", True, resources=["replicationcontrollers"], answer=patch([{"op": "remove", "path": "/spec/replicas"}]))],
           [], [("POST", CONTROLLERS, CONTROLLER)])


def reviews():
    both = [hook("a", True), hook("b")]
    yield ("review: create", both, [], CREATE)
    yield ("review: generated name", both, [], [("POST", MAPS, {"apiVersion": "v1", "kind": "ConfigMap",
                                                              "metadata": {"generateName": "m-"}})])
    yield ("review: dry run", both, [], [("POST", MAPS + "?dryRun=All", config())])
    yield ("review: options", both, [], [("POST", MAPS + "?fieldManager=me&fieldValidation=Strict", config())])
    yield ("review: patch", both, CREATE, [("PATCH", MAPS + "/m?fieldManager=me", {"data": {"c": "d"}}, MERGE)])
    yield ("review: patch of nothing", both, CREATE, [("PATCH", MAPS + "/m", {}, MERGE)])
    yield ("review: put", both, CREATE, [("PUT", MAPS + "/m", config(data={"c": "d"}))])
    yield ("review: apply", both, CREATE, [("PATCH", MAPS + "/m?fieldManager=me", config(data={"c": "d"}), APPLY)])
    yield ("review: apply anew", both, [], [("PATCH", MAPS + "/m?fieldManager=me", config(data={"c": "d"}), APPLY)])
    yield ("review: delete", both, CREATE, [("DELETE", MAPS + "/m", None)])
    yield ("review: delete with options", both, CREATE, [("DELETE", MAPS + "/m", {
        "apiVersion": "v1", "kind": "DeleteOptions", "propagationPolicy": "Background", "gracePeriodSeconds": 0})])
    yield ("review: namespace", [hook("a", True, ["namespaces"], namespaceSelector={}), hook("b", False, ["namespaces"], namespaceSelector={})], [],
           [("POST", "/api/v1/namespaces?dryRun=All", {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "m"}})])
    yield ("review: status", [hook("a", True, ["replicationcontrollers/status"])], [("POST", CONTROLLERS, CONTROLLER)],
           [("PATCH", CONTROLLERS + "/d/status", {"status": {"replicas": 2}}, MERGE)])
    yield ("review: scale", [hook("a", True, ["replicationcontrollers/scale"])], [("POST", CONTROLLERS, CONTROLLER)],
           [("PATCH", CONTROLLERS + "/d/scale", {"spec": {"replicas": 2}}, MERGE)])
    yield ("review: scale by put", [hook("a", True, ["*/scale"])], [("POST", CONTROLLERS, CONTROLLER)],
           [("PUT", CONTROLLERS + "/d/scale", {"apiVersion": "autoscaling/v1", "kind": "Scale",
             "metadata": {"name": "d", "namespace": "default"}, "spec": {"replicas": 2}})])
    yield ("review: eviction", [hook("a", True, ["pods/*"]), hook("b", False, ["pods", "pods/*"])], [("POST", PODS, POD)],
           [("POST", PODS + "/p/eviction", {"apiVersion": "policy/v1", "kind": "Eviction", "metadata": {"name": "p"}})])
    yield ("review: binding", [hook("a", True, ["*/*"], operations=["CREATE"]), hook("b", False, ["pods/binding"])], [("POST", PODS, POD)],
           [("POST", PODS + "/p/binding", {"apiVersion": "v1", "kind": "Binding", "metadata": {"name": "p"},
                                           "target": {"apiVersion": "v1", "kind": "Node", "name": "n"}})])
    yield ("review: other version", [hook("a", True, ["horizontalpodautoscalers"], groups=["autoscaling"], versions=["v1"])],
           [], [("POST", "/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers?dryRun=All", {
               "apiVersion": "autoscaling/v2", "kind": "HorizontalPodAutoscaler", "metadata": {"name": "h"},
               "spec": {"maxReplicas": 2, "scaleTargetRef": {"apiVersion": "apps/v1", "kind": "D", "name": "d"}}})])
    yield ("review: v1beta1", [hook("a", True, admissionReviewVersions=["v1beta1"], answer={"allowed": True, "uid": ""})], [], CREATE)
    yield ("review: first known version", [hook("a", True, admissionReviewVersions=["v9", "v1", "v1beta1"])], [], CREATE)
    yield ("review: collection", both, CREATE + [("POST", MAPS, config("n"))],
           [("DELETE", MAPS + "?labelSelector=no", None), ("DELETE", MAPS + "?fieldSelector=metadata.name=m", None)])


def orders():
    sets = lambda key: patch([add("/data/" + key, "1")])
    yield ("order: of names", [hook("b", True, answer=sets("b")), hook("a", True, answer=sets("a"))], [], CREATE)
    for policies in (("IfNeeded", "Never"), ("Never", "IfNeeded"), ("IfNeeded", "IfNeeded")):
        yield ("order: %s, %s" % policies,
               [hook("a", True, answer=sets("a"), reinvocationPolicy=policies[0]),
                hook("b", True, answer=lambda r: patch([add("/data/b", str(len(r["object"]["data"])))]),
                     reinvocationPolicy=policies[1])], [], CREATE + [("GET", MAPS + "/m", None)])
    yield ("order: a refusal ends it", [hook("a", True, answer=deny(message="no")), hook("b", True), hook("c")], [], CREATE)
    yield ("order: validating ones see the end", [hook("a", True, answer=sets("a")), hook("v")], [], CREATE)
    yield ("order: invalid before validating", [hook("a", True, answer=patch([add("/metadata/labels", {"a b": "c"})])), hook("v")], [], CREATE)


def matches():
    condition = lambda text: {"matchConditions": [{"name": "c", "expression": text}]}
    cases = {
        "operations": hook("a", operations=["UPDATE"]), "group": hook("a", groups=["apps"]),
        "core group": hook("a", groups=[""]), "version": hook("a", versions=["v2"]),
        "cluster scope": hook("a", scope="Cluster"), "namespaced scope": hook("a", scope="Namespaced"),
        "all resources": hook("a", resources=["*"]), "all subresources": hook("a", resources=["configmaps/*"]),
        "object selector": hook("a", objectSelector={"matchLabels": {"no": "such"}}),
        "namespace selector": hook("a", namespaceSelector={"matchLabels": {"kubernetes.io/metadata.name": "default"}}),
        "other namespace": hook("a", namespaceSelector={"matchLabels": {"kubernetes.io/metadata.name": "x"}}),
        "condition": hook("a", **condition("object.metadata.name == 'm'")),
        "other condition": hook("a", **condition("object.metadata.name == 'n'")),
        "failing condition": hook("a", **condition("object.nonsense == 'n'")),
        "ignored failing condition": hook("a", failurePolicy="Ignore", **condition("object.nonsense == 'n'")),
        "two conditions": hook("a", matchConditions=[{"name": "a", "expression": "object.nonsense == 1"},
                                                    {"name": "b", "expression": "object.other == 1"}]),
        "one false of two": hook("a", matchConditions=[{"name": "a", "expression": "object.nonsense == 1"},
                                                      {"name": "b", "expression": "false"}]),
        "condition on the user": hook("a", **condition("'system:masters' in request.userInfo.groups")),
        "condition on access": hook("a", **condition("authorizer.group('').resource('pods').check('get').allowed()")),
        "exact": hook("a", matchPolicy="Exact"),
    }
    for name, webhook in cases.items():
        yield ("match: " + name, [webhook], [], CREATE)
    for name in ("condition", "failing condition", "other condition"):
        yield ("match: %s (mutating)" % name, [dict(cases[name], mutating=True)], [], CREATE)
    yield ("match: configurations are exempt", [hook("a", resources=["*"], answer=deny(message="no"),
                                                    operations=["UPDATE"])], [],
           [("PATCH", GROUP + "/validatingwebhookconfigurations/zz-marker?dryRun=All",
             {"metadata": {"labels": {"a": "b"}}}, MERGE)])


def places(port):
    service = {"service": {"namespace": "default", "name": "hook", "path": "/a"}}
    yield ("place: no service", [hook("a", client=service)], [], CREATE)
    yield ("place: no service, ignored", [hook("a", client=service, failurePolicy="Ignore")], [], CREATE)
    yield ("place: closed port", [hook("a", client={"url": "https://127.0.0.1:1/a"})], [], CREATE)
    yield ("place: closed port, no path", [hook("a", True, client={"url": "https://127.0.0.1:1"})], [], CREATE)
    yield ("place: unknown authority", [hook("a", client={"url": "https://127.0.0.1:%d/a" % port, "caBundle": None})], [], CREATE)
    yield ("place: external name", [hook("a", client={"service": {
        "namespace": "default", "name": "hook", "path": "/a", "port": port}})],
           [("POST", "/api/v1/namespaces/default/services", {"apiVersion": "v1", "kind": "Service",
             "metadata": {"name": "hook"}, "spec": {"type": "ExternalName", "externalName": "localhost"}})], CREATE)


def broken():
    good = hook("a.b.c")["spec"]
    client = lambda **c: dict(good, clientConfig=c)
    bodies = {
        "http": client(url="http://a/"), "no host": client(url="https:///x"), "user": client(url="https://u:p@a/"),
        "fragment": client(url="https://a/#f"), "query": client(url="https://a/?q=1"), "no url": client(url="a b"),
        "no scheme": client(url="a/b"), "both": client(url="https://a/", service={"namespace": "d", "name": "h"}),
        "neither": client(), "no service name": client(service={"namespace": "d"}),
        "no service namespace": client(service={"name": "h"}),
        "service path": client(service={"namespace": "d", "name": "h", "path": "x"}),
        "service path //": client(service={"namespace": "d", "name": "h", "path": "/a//b"}),
        "service path label": client(service={"namespace": "d", "name": "h", "path": "/a/B_"}),
        "service port": client(service={"namespace": "d", "name": "h", "port": 70000}),
        "bundle": client(url="https://a/", caBundle="eA=="),
        "no rule operations": dict(client(url="https://a/"), rules=[{"apiGroups": ["*"], "apiVersions": ["*"], "resources": ["*"]}]),
        "star and more": dict(client(url="https://a/"), rules=[{"operations": ["*", "CREATE"], "apiGroups": ["*"], "apiVersions": ["*"], "resources": ["*"]}]),
        "side effects": dict(client(url="https://a/"), sideEffects="Some"),
        "versions": dict(client(url="https://a/"), admissionReviewVersions=["v2"]),
        "version twice": dict(client(url="https://a/"), admissionReviewVersions=["v1", "v1"]),
        "timeout": dict(client(url="https://a/"), timeoutSeconds=31),
        "reinvocation": dict(client(url="https://a/"), reinvocationPolicy="Often"),
    }
    for name, spec in bodies.items():
        yield ("broken: " + name, dict(spec, name="a.b.c"))


def normal(text):
    text = re.sub(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", "UID", text)
    text = re.sub(r'"resourceVersion": "\d+"', '"resourceVersion": "N"', text)
    text = re.sub(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", "TIME", text)
    text = re.sub(r"marker-(True|False)-\d+-\d+", "MARKER", text)
    return re.sub(r"\bm-[a-z0-9]{5}\b", "m-GENERATED", text)


def shape(answer):
    code, body, headers = answer
    told = {"code": code, "warnings": headers.get_all("Warning") or []}
    if body.get("kind") == "Status" and code >= 300:
        told.update({k: body.get(k) for k in ("reason", "message", "details")})
    elif code < 300:
        told["body"] = body
        for item in [body] + (body.get("items") or []):
            item.get("metadata", {}).pop("managedFields", None)
    return json.loads(normal(json.dumps(told)))


def review_shape(review):
    name, query, body = review
    body = json.loads(normal(json.dumps(body, sort_keys=True)))
    body["request"]["userInfo"] = "USER"
    for member in ("object", "oldObject"):
        for entry in ((body["request"].get(member) or {}).get("metadata", {}).get("managedFields") or []):
            entry["time"] = "TIME" if "time" in entry else None
    return [name, query, body]


# Both refuse, each in its own words.
OWN_WORDS = ["failure: no json", "failure: a list", "failure: other kind", "failure: other version",
             "patch: missing", "patch: wrong type", "patch: invalid label", "patch: no list",
             "patch: no json", "patch: namespace",
             "patch: bad op", "patch: failed test", "patch: kind", "order: invalid before"]


def without_words(told):
    answers = []
    for answer in told[0]:
        if isinstance(answer, dict) and answer["code"] >= 300:
            answer = {k: answer[k] for k in ("code", "reason", "warnings")}
        answers.append(answer)
    return answers, told[1]


# What is known to differ: docs/differences.md, or the judge names the wrong place.
KNOWN = ["broken: no service name", "broken: no service namespace"]


def clean(server):
    for plural in ("mutating", "validating"):
        path = GROUP + "/" + plural + "webhookconfigurations"
        for item in server.ask("GET", path)[1]["items"]:
            server.ask("DELETE", path + "/" + item["metadata"]["name"])
    for _ in range(400):
        for path in (MAPS, CONTROLLERS):
            server.ask("DELETE", path + "?propagationPolicy=Background")
        server.ask("DELETE", PODS + "?gracePeriodSeconds=0")
        server.ask("DELETE", "/api/v1/namespaces/default/services/hook")
        left = [item for path in (MAPS, CONTROLLERS, PODS) for item in server.ask("GET", path)[1]["items"]
                if item["metadata"]["name"] != "kube-root-ca.crt"]
        if not left:
            return
        for item in left:
            if item["metadata"].get("finalizers"):
                server.ask("PATCH", MAPS + "/" + item["metadata"]["name"], {"metadata": {"finalizers": None}}, MERGE)
        time.sleep(0.05)
    raise SystemExit("these objects of the last case do not go: %s" % json.dumps(left))


def configure(server, hooks, name, mutating, spec, client):
    kind = "Mutating" if mutating else "Validating"
    client = dict(client or {"url": "https://127.0.0.1:%d/%s" % (hooks.port, name)})
    client.setdefault("caBundle", hooks.ca)
    body = {"apiVersion": "admissionregistration.k8s.io/v1", "kind": kind + "WebhookConfiguration",
            "metadata": {"name": name},
            "webhooks": [dict(spec, name=name + ".example.com", clientConfig=client)]}
    return server.ask("POST", GROUP + "/%swebhookconfigurations" % kind.lower(), body)


def play(server, hooks, case, number):
    name, webhooks, before, requests = case
    clean(server)
    for request in before:
        for _ in range(100):
            code, body, _ = server.ask(*request)
            if code < 300:
                break
            time.sleep(0.05)
        else:
            return ["not prepared: %d %s" % (code, body.get("message"))], []
    hooks.answers = {hook["name"]: hook["answer"] for hook in webhooks if hook["answer"] is not None}
    for webhook in webhooks:
        code, body, _ = configure(server, hooks, webhook["name"], webhook["mutating"], webhook["spec"], webhook["client"])
        if code != 201:
            return ["not made: %d %s" % (code, body.get("message"))], []
    # Configurations count some time after they were written: markers are written last.
    condition = [{"name": "c", "expression": "request.operation == 'CREATE' && request.?name == optional.of('marker')"}]
    for mutating in (False, True):
        marker = "marker-%s-%d-%s" % (mutating, number, server.url.split(":")[-1])
        spec = hook("x", matchConditions=condition, namespaceSelector={})["spec"]
        configure(server, hooks, "zz-marker", mutating, spec,
                  {"url": "https://127.0.0.1:%d/%s" % (hooks.port, marker)})
        for _ in range(200):
            server.ask("POST", "/api/v1/namespaces/kube-public/configmaps?dryRun=All", config("marker"))
            if marker in hooks.markers:
                break
            time.sleep(0.05)
        else:
            return ["the webhooks are not used"], []
    hooks.reviews = []
    answers = []
    for request in requests:
        answers.append(shape(server.ask(*request)))
    return answers, sorted((review_shape(r) for r in hooks.reviews), key=json.dumps)


def play_broken(server, hooks, case):
    clean(server)
    body = {"apiVersion": "admissionregistration.k8s.io/v1", "kind": "MutatingWebhookConfiguration",
            "metadata": {"name": "a"}, "webhooks": [case[1]]}
    code, answer, _ = server.ask("POST", GROUP + "/mutatingwebhookconfigurations", body)
    causes = [(c.get("reason"), c.get("field")) for c in (answer.get("details") or {}).get("causes", [])]
    return [{"code": code, "reason": answer.get("reason"), "causes": sorted(causes)}], []


def main():
    files = [arg for arg in sys.argv[1:] if os.path.exists(arg)]
    wanted = [arg for arg in sys.argv[1:] if arg not in files]
    if len(files) not in (1, 2):
        print(__doc__)
        return 2
    servers = [Server(file) for file in files]
    hooks = Hooks()
    different = count = 0
    cases = [case for group in (refusals(), failures(), patches(), reviews(), orders(), matches(),
                                places(hooks.port), broken()) for case in group]
    for number, case in enumerate(cases):
        if wanted and not any(case[0].startswith(text) for text in wanted):
            continue
        count += 1
        told = [play(server, hooks, case, number) if len(case) == 4 else play_broken(server, hooks, case)
                for server in servers]
        if any(case[0].startswith(text) for text in OWN_WORDS):
            told = [without_words(mine) for mine in told]
        if len(servers) == 1:
            print(case[0] + ":\n   ", json.dumps(told[0]))
        elif told[0] != told[1] and case[0] not in KNOWN:
            different += 1
            print("DIFFERENT: " + case[0])
            for part, what in enumerate(("answers", "reviews")):
                if told[0][part] == told[1][part]:
                    continue
                for side, mine in zip(("real", "ours"), told):
                    print("   %s %s: %s" % (side, what, json.dumps(mine[part])))
    print("%d cases, %d different" % (count, different))
    for server in servers:
        clean(server)
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
