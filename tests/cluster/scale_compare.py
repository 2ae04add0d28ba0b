#!/usr/bin/env python3
"""Writes the scale of the same objects on two API servers by all types of patches and compares.

    scale_compare.py KUBECONFIG KUBECONFIG     compare the first (the judge) with the second

Compared are code, reason and causes of every answer, the scale, and who owns what of the object
afterwards. Exit: 0 alike, 1 different, 2 usage.
"""
import json, os, re, sys, time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from policies_compare import Server

DEPLOYMENTS = "/apis/apps/v1/namespaces/default/deployments"
THINGS = "/apis/scale.example.com/v1/namespaces/default/things"
DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
TYPES = {"merge": "application/merge-patch+json", "json": "application/json-patch+json",
         "strategic": "application/strategic-merge-patch+json", "apply": "application/apply-patch+yaml",
         "put": "application/json"}

DEFINITION = {
    "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
    "metadata": {"name": "things.scale.example.com"},
    "spec": {"group": "scale.example.com", "scope": "Namespaced",
             "names": {"plural": "things", "singular": "thing", "kind": "Thing", "listKind": "ThingList"},
             "versions": [{"name": "v1", "served": True, "storage": True,
                           "subresources": {"status": {}, "scale": {
                               "specReplicasPath": ".spec.size", "statusReplicasPath": ".status.size"}},
                           "schema": {"openAPIV3Schema": {"type": "object", "properties": {
                               "spec": {"type": "object", "properties": {
                                   "size": {"type": "integer"}, "other": {"type": "string"}}},
                               "status": {"type": "object", "properties": {
                                   "size": {"type": "integer"}}}}}}}]}}


def deployment(replicas=None):
    spec = {"selector": {"matchLabels": {"a": "b"}}, "template": {
        "metadata": {"labels": {"a": "b"}}, "spec": {"containers": [{"name": "c", "image": "i"}]}}}
    if replicas is not None:
        spec["replicas"] = replicas
    return {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "s"}, "spec": spec}


def thing(size=None):
    return {"apiVersion": "scale.example.com/v1", "kind": "Thing", "metadata": {"name": "s"},
            "spec": dict({"other": "x"}, **({} if size is None else {"size": size}))}


def scale(replicas=None, **metadata):
    spec = {} if replicas is None else {"replicas": replicas}
    return {"apiVersion": "autoscaling/v1", "kind": "Scale", "metadata": dict({"name": "s"}, **metadata),
            "spec": spec}


# (subresource, type, manager, body, further query)
def sequences():
    s = lambda kind, manager, body, more="": ("scale", kind, manager, body, more)
    o = lambda kind, manager, body, more="": ("", kind, manager, body, more)
    yield [s("apply", "a", scale(3))]
    yield [s("apply", "a", scale(3), "&force=true")]
    yield [s("apply", "a", scale(3), "&force=true"), s("apply", "a", scale(4))]
    yield [s("apply", "a", scale(3), "&force=true"), s("apply", "b", scale(4)), s("apply", "b", scale(3))]
    yield [s("apply", "a", scale(3), "&force=true"), s("apply", "b", scale(4), "&force=true")]
    yield [s("apply", "a", scale(3), "&force=true"), s("apply", "a", scale())]
    yield [s("apply", "a", scale(3), "&force=true"), s("merge", "b", {"spec": {"replicas": 5}})]
    yield [s("apply", "a", scale(3), "&force=true"), s("merge", "b", {"spec": {"replicas": 3}})]
    yield [s("merge", "b", {"spec": {"replicas": 5}}), s("apply", "a", scale(5))]
    yield [s("merge", "b", {"spec": {"replicas": 5}}), s("apply", "a", scale(6))]
    yield [s("merge", "b", {"spec": {"replicas": 5}}), s("merge", "b", {"spec": {"replicas": 6}})]
    yield [s("merge", "b", {"spec": {"replicas": 5}}), s("merge", "c", {"spec": {"replicas": 6}})]
    yield [s("json", "b", [{"op": "replace", "path": "/spec/replicas", "value": 5}])]
    yield [s("json", "b", [{"op": "remove", "path": "/spec/replicas"}])]
    yield [s("json", "b", [{"op": "test", "path": "/spec/replicas", "value": 77}])]
    yield [s("strategic", "b", {"spec": {"replicas": 5}})]
    yield [s("put", "b", scale(5))]
    yield [s("put", "b", scale(1))]
    yield [s("put", "b", scale(-1))]
    yield [s("apply", "b", scale(-1), "&force=true")]
    yield [s("merge", "b", {"metadata": {"labels": {"a": "b"}}})]
    yield [s("apply", "", scale(3))]
    yield [s("apply", "a", dict(scale(3), kind="Other"))]
    yield [s("apply", "a", dict(scale(3), apiVersion="apps/v1"))]
    yield [s("apply", "a", scale("three"))]
    yield [s("apply", "a", scale(3, name="other"), "&force=true")]
    yield [s("apply", "a", scale(3, resourceVersion="1"), "&force=true")]
    yield [s("apply", "a", scale(3), "&force=true&dryRun=All")]
    yield [s("apply", "a", scale(3), "&force=true"), o("apply", "a", "OBJECT 3")]
    yield [s("apply", "a", scale(3), "&force=true"), o("apply", "b", "OBJECT 4")]
    yield [s("apply", "a", scale(3), "&force=true"), o("merge", "b", "MERGE 4"), s("apply", "a", scale(3))]
    yield [o("apply", "x", "OBJECT 2", "&force=true"), s("apply", "a", scale(3)),
           s("apply", "a", scale(3), "&force=true"), o("apply", "x", "OBJECT 2")]
    yield [o("apply", "a", "OBJECT 2", "&force=true"), s("apply", "a", scale(3)), s("merge", "a", {"spec": {"replicas": 4}})]


# The judge cannot apply to the scale of a custom resource where that changes it (500), and lets
# replicas be removed from it that are not there; it splits the entry of who owns the replicas when a
# scale is written that changes nothing.
def known(things, steps, real):
    if things and steps[0][3] == [{"op": "remove", "path": "/spec/replicas"}]:
        return True
    if any(step[0].get("code") == 500 for step in real if isinstance(step, list)):
        return things
    body = steps[0][3]
    return isinstance(body, dict) and steps[0][1] in ("put", "merge") and body.get("spec", {}).get("replicas", 1) == 1


def body_of(body, things):
    if body == "MERGE 4":
        return {"spec": {"size" if things else "replicas": 4}}
    if isinstance(body, str):
        replicas = int(body.split()[1])
        return thing(replicas) if things else deployment(replicas)
    return body


def shape(code, body):
    told = {"code": code}
    if body.get("kind") == "Status":
        told["reason"] = body.get("reason")
        told["causes"] = sorted((c.get("reason"), c.get("field")) for c in
                                (body.get("details") or {}).get("causes") or [])
        if "conflict" in body.get("message", "")[:40]:
            told["message"] = body["message"]
    elif body.get("kind") == "Scale":
        told["scale"] = [body.get("spec"), body.get("status", {}).get("selector")]
    return told


def owners(server, path):
    told = []
    for entry in server.ask("GET", path)[1]["metadata"].get("managedFields", []):
        entry["time"] = "time" in entry
        if entry["manager"] in ("maker", "a", "b", "c", "x", "before-first-apply"):
            told.append(entry)  # one of the two has controllers
    return sorted(told, key=lambda e: json.dumps(e, sort_keys=True))


def play(server, steps, things, first):
    collection = THINGS if things else DEPLOYMENTS
    server.ask("DELETE", collection + "/s")
    for _ in range(100):
        code, body, _ = server.ask("POST", collection + "?fieldManager=maker",
                                   thing(first) if things else deployment(first))
        if code == 201:
            break
        time.sleep(0.05)
    else:
        return ["not made: %d %s" % (code, body.get("message"))]
    told = []
    for sub, kind, manager, body, more in steps:
        path = collection + "/s" + ("/" + sub if sub else "") + "?fieldManager=" + manager + more
        method = "PUT" if kind == "put" else "PATCH"
        code, answer, _ = server.ask(method, path, body_of(body, things), TYPES[kind])
        told.append([shape(code, answer), owners(server, collection + "/s")])
    return told


def main():
    if len(sys.argv) != 3:
        print(__doc__)
        return 2
    servers = [Server(file) for file in sys.argv[1:]]
    for server in servers:
        server.ask("POST", DEFINITIONS, DEFINITION)
    different = count = 0
    for things in (False, True):
        for first in (1, None):
            for number, steps in enumerate(sequences()):
                count += 1
                told = [play(server, steps, things, first) for server in servers]
                if told[0] == told[1] or known(things, steps, told[0]):
                    continue
                different += 1
                print("DIFFERENT: %d, %s made with %s: %s" % (number, "thing" if things else "deployment",
                                                              first, json.dumps(steps)))
                for step, (real, ours) in enumerate(zip(*told)):
                    for mine, others, side in ((real, ours, "real"), (ours, real, "ours")):
                        if mine == others:
                            continue
                        print("   step %d %s: %s" % (step, side, json.dumps(mine[0])))
                        for entry in mine[1]:
                            if entry not in others[1]:
                                print("        owner: %s" % json.dumps(entry))
    for server in servers:
        server.ask("DELETE", DEPLOYMENTS + "/s")
        server.ask("DELETE", DEFINITIONS + "/things.scale.example.com")
    print("%d sequences, %d different" % (count, different))
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
