#!/usr/bin/env python3
"""Random histories of objects by three managers, on our API server and on a real one: every answer,
managedFields and conflicts included, must be equal.

usage: ownership_test.py APISERVER_PIPE [--sequences N] [--seed N] [--kind KIND] [--verbose]

APISERVER_PIPE is the built program. A real kube-apiserver is started for the comparison
(cluster.sh); without its binaries the exit code is 77: skipped.
"""
import argparse
import base64
import copy
import glob
import http.client
import json
import os
import random
import ssl
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
CLUSTER = os.path.join(ROOT, "tests", "cluster", "cluster.sh")
SKIPPED = 77
MANAGERS = ["one", "two", "three"]
NAMESPACE = "default"
APPLY, MERGE = "application/apply-patch+yaml", "application/merge-patch+json"
STRATEGIC, PATCH = "application/strategic-merge-patch+json", "application/json-patch+json"


class Real:
    """The real server, asked as its owner."""

    def __init__(self, kubeconfig, folder):
        # The file is written by cluster.sh: one value per line.
        values = {}
        for line in open(kubeconfig):
            key, _, value = line.strip().lstrip("- ").partition(": ")
            values[key] = value
        context = ssl.create_default_context(
            cadata=base64.b64decode(values["certificate-authority-data"]).decode())
        for name in ("client-certificate-data", "client-key-data"):
            with open(os.path.join(folder, name), "wb") as f:
                f.write(base64.b64decode(values[name]))
        context.load_cert_chain(os.path.join(folder, "client-certificate-data"),
                                os.path.join(folder, "client-key-data"))
        host = values["server"].split("//")[1]
        self.connection = http.client.HTTPSConnection(host, context=context)

    def ask(self, method, path, body=None, content_type="application/json", agent="test"):
        headers = {"Accept": "application/json", "Content-Type": content_type,
                   "User-Agent": agent}
        self.connection.request(method, path, None if body is None else json.dumps(body), headers)
        response = self.connection.getresponse()
        text = response.read()
        return response.status, json.loads(text) if text.startswith(b"{") else text.decode()


class Ours:
    def __init__(self, program):
        self.process = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        text=True)

    def ask(self, method, path, body=None, content_type="application/json", agent="test"):
        request = {"method": method, "path": path, "type": content_type, "agent": agent,
                   "body": "" if body is None else json.dumps(body)}
        self.process.stdin.write(json.dumps(request) + "\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        if not line:
            sys.exit("our server has ended")
        answer = json.loads(line)
        text = answer["body"]
        return answer["code"], json.loads(text) if text.startswith("{") else text


# ---- what may stand in objects

def some(rng, *values):
    return rng.choice(values)


def strings(rng, prefix, count=3):
    """A map of a few members out of a few more."""
    names = rng.sample(["a", "b", "c", "d"], rng.randint(0, count))
    return {prefix + name: some(rng, "1", "2", "") for name in names}


def metadata(rng):
    out = {}
    if rng.random() < 0.5:
        out["labels"] = strings(rng, "l")
    if rng.random() < 0.3:
        out["annotations"] = strings(rng, "example.com/")
    if rng.random() < 0.15:
        out["finalizers"] = rng.sample(["example.com/x", "example.com/y"], rng.randint(0, 2))
    if rng.random() < 0.15:
        out["ownerReferences"] = [
            {"apiVersion": "v1", "kind": "ConfigMap", "name": "o" + n,
             "uid": "00000000-0000-0000-0000-00000000000" + n}
            for n in rng.sample(["1", "2"], rng.randint(1, 2))]
    return out


def container(rng, name, full):
    out = {"name": name}
    if full or rng.random() < 0.6:
        out["image"] = "example.com/app:" + some(rng, "1", "2")
    if rng.random() < 0.4:
        out["env"] = [{"name": n, "value": some(rng, "1", "2")}
                      for n in rng.sample(["A", "B", "C"], rng.randint(0, 3))]
    if rng.random() < 0.3:
        out["args"] = rng.sample(["x", "y", "z"], rng.randint(0, 2))
    if rng.random() < 0.3:
        out["resources"] = {"requests": {"cpu": some(rng, "1", "100m")}}
    if rng.random() < 0.3:
        out["ports"] = [{"containerPort": p, **({"protocol": "UDP"} if rng.random() < 0.4 else {})}
                        for p in rng.sample([80, 443, 53], rng.randint(0, 2))]
    return out


def pod_spec(rng, full, restart=None):
    names = rng.sample(["c", "d"], rng.randint(1, 2))
    if full and "c" not in names:
        names[0] = "c"
    out = {"containers": [container(rng, name, full or rng.random() < 0.5) for name in names]}
    if restart:
        out["restartPolicy"] = restart
    if rng.random() < 0.3:
        out["nodeSelector"] = strings(rng, "n", 2)
    if rng.random() < 0.3:
        out["tolerations"] = [{"key": k, "operator": "Exists"}
                              for k in rng.sample(["k1", "k2"], rng.randint(0, 2))]
    if rng.random() < 0.2:
        out["terminationGracePeriodSeconds"] = some(rng, 0, 30, 60)
    if rng.random() < 0.2:
        out["volumes"] = [{"name": v, "emptyDir": {}} for v in rng.sample(["v", "w"], 1)]
    return out


def config_map(rng, full):
    out = {}
    if full or rng.random() < 0.8:
        out["data"] = strings(rng, "k")
    if rng.random() < 0.2:
        out["binaryData"] = {"b": some(rng, "YQ==", "Yg==")}
    if rng.random() < 0.05:
        out["immutable"] = False
    return out


def deployment(rng, full):
    spec = {}
    if full:
        spec["selector"] = {"matchLabels": {"app": "web"}}
    if rng.random() < 0.5:
        spec["replicas"] = some(rng, 0, 1, 2)
    if rng.random() < 0.3:
        spec["strategy"] = some(rng, {"type": "Recreate"},
                                {"type": "RollingUpdate", "rollingUpdate": {"maxSurge": 1}})
    if rng.random() < 0.2:
        spec["paused"] = some(rng, True, False)
    if full or rng.random() < 0.7:
        spec["template"] = {"spec": pod_spec(rng, full)}
        if full:
            spec["template"]["metadata"] = {"labels": {"app": "web"}}
    return {"spec": spec}


def service(rng, full):
    spec = {}
    if full:
        spec["clusterIP"] = "None"
    if full or rng.random() < 0.7:
        spec["ports"] = [{"name": "p%d%s" % (port, some(rng, "", "x")), "port": port,
                          **({"protocol": some(rng, "TCP", "UDP")} if rng.random() < 0.5 else {}),
                          **({"targetPort": some(rng, 80, "http")} if rng.random() < 0.3 else {})}
                         for port in rng.sample([80, 443, 53], rng.randint(1, 2))]
    # Always some: without any, a headless service wants the addresses of two families.
    if full or rng.random() < 0.5:
        spec["selector"] = {"app": "web", **strings(rng, "s", 2)}
    if rng.random() < 0.2:
        spec["publishNotReadyAddresses"] = some(rng, True, False)
    return {"spec": spec}


def pod(rng, full):
    if full:
        return {"spec": pod_spec(rng, True)}
    out = {}
    if rng.random() < 0.4:
        out["spec"] = some(rng, {"activeDeadlineSeconds": some(rng, 100, 50)},
                           {"containers": [{"name": "c", "image": "example.com/app:3"}]},
                           {"tolerations": [{"key": "k3", "operator": "Exists"}]})
    return out


def job(rng, full):
    spec = {}
    if full:
        spec["template"] = {"spec": pod_spec(rng, True, "Never")}
        spec["suspend"] = True
    elif rng.random() < 0.3:
        spec["template"] = {"spec": pod_spec(rng, False)}
    for name, values in (("parallelism", (1, 2)), ("suspend", (True, False)),
                         ("backoffLimit", (0, 3)), ("activeDeadlineSeconds", (10, 20))):
        if rng.random() < 0.3:
            spec[name] = some(rng, *values)
    return {"spec": spec}


def workload(rng, full):
    spec = {}
    if full or rng.random() < 0.3:
        names = rng.sample(["main", "other"], rng.randint(1, 2))
        spec["podSets"] = [{"name": n, "count": some(rng, 1, 2),
                            "template": {"spec": pod_spec(rng, True, "Never")}} for n in names]
    if rng.random() < 0.4:
        spec["queueName"] = some(rng, "q", "r")
    if rng.random() < 0.3:
        spec["priority"] = some(rng, 0, 5)
    if rng.random() < 0.2:
        spec["active"] = some(rng, True, False)
    return {"spec": spec}


def cluster_queue(rng, full):
    spec = {}
    if full or rng.random() < 0.5:
        spec["resourceGroups"] = [{"coveredResources": ["cpu"], "flavors": [
            {"name": f, "resources": [{"name": "cpu", "nominalQuota": some(rng, "1", "2")}]}
            for f in rng.sample(["f", "g"], rng.randint(1, 2))]}]
    if rng.random() < 0.4:
        spec["namespaceSelector"] = some(rng, {}, {"matchLabels": {"a": "b"}})
    if rng.random() < 0.3:
        spec["preemption"] = {"reclaimWithinCohort": some(rng, "Any", "Never")}
    if rng.random() < 0.3:
        spec["cohortName"] = some(rng, "x", "y")
    if rng.random() < 0.2:
        spec["admissionChecksStrategy"] = {"admissionChecks": [
            {"name": n} for n in rng.sample(["n", "m"], rng.randint(1, 2))]}
    return {"spec": spec}


def conditions(rng, *types):
    return {"conditions": [{"type": t, "status": some(rng, "True", "False"), "reason": "R",
                            "message": some(rng, "m", "n"),
                            "lastTransitionTime": "2021-01-01T00:00:00Z"}
                           for t in rng.sample(types, rng.randint(0, 2))]}


KINDS = {
    "ConfigMap": ("v1", "api/v1", "configmaps", True, config_map, None),
    "Deployment": ("apps/v1", "apis/apps/v1", "deployments", True, deployment,
                   lambda rng: {"replicas": some(rng, 1, 2), **conditions(rng, "A", "B")}),
    "Service": ("v1", "api/v1", "services", True, service,
                lambda rng: conditions(rng, "A", "B")),
    "Pod": ("v1", "api/v1", "pods", True, pod,
            lambda rng: {"phase": some(rng, "Running", "Pending"), **conditions(rng, "A", "B")}),
    "Job": ("batch/v1", "apis/batch/v1", "jobs", True, job, None),
    "Workload": ("kueue.x-k8s.io/v1beta2", "apis/kueue.x-k8s.io/v1beta2", "workloads", True,
                 workload, lambda rng: conditions(rng, "A", "B", "C")),
    "ClusterQueue": ("kueue.x-k8s.io/v1beta2", "apis/kueue.x-k8s.io/v1beta2", "clusterqueues",
                     False, cluster_queue,
                     lambda rng: {"pendingWorkloads": some(rng, 0, 3), **conditions(rng, "A", "B")}),
}


# ---- comparing

class Names:
    """What servers choose themselves, by the order in which it comes up."""

    def __init__(self):
        self.seen = {}

    def of(self, kind, value):
        known = self.seen.setdefault(kind, {})
        return "<%s%d>" % (kind, known.setdefault(value, len(known) + 1))


def normal(value, names, key=""):
    if isinstance(value, dict):
        out = {k: normal(v, names, k) for k, v in value.items()}
        if value.get("kind") == "Status":
            out.pop("message", None)
            for cause in out.get("details", {}).get("causes", []):
                cause.pop("message", None)
            if "causes" in out.get("details", {}):
                out["details"]["causes"].sort(key=lambda c: (c.get("field", ""), c["reason"]))
            if "uid" in out.get("details", {}):
                out["details"].pop("uid")
        return out
    if isinstance(value, list):
        items = [normal(item, names) for item in value]
        if key == "managedFields":
            # Their order depends on the clock.
            items.sort(key=lambda e: json.dumps([e.get("operation"), e.get("manager"),
                                                 e.get("apiVersion"), e.get("subresource", "")]))
        return items
    if isinstance(value, str):
        if key == "resourceVersion":
            return names.of("rv", value)
        if key in ("time", "creationTimestamp", "deletionTimestamp", "startTime"):
            return "<time>" if not value.startswith("2021") else value
        uid = names.seen.get("uid", {})
        if key == "uid" and not value.startswith("00000000"):
            return names.of("uid", value)
        for known, number in uid.items():
            value = value.replace(known, "<uid%d>" % number)
    return value


def difference(a, b, path=""):
    """The first place where they differ; empty: nowhere."""
    if type(a) is not type(b):
        return "%s: real %s, ours %s" % (path, json.dumps(a)[:300], json.dumps(b)[:300])
    if isinstance(a, dict):
        for key in sorted(set(a) | set(b)):
            if key not in a or key not in b:
                return "%s.%s: real %s, ours %s" % (path, key, json.dumps(a.get(key))[:300],
                                                    json.dumps(b.get(key))[:300])
            found = difference(a[key], b[key], path + "." + key)
            if found:
                return found
        return ""
    if isinstance(a, list):
        if len(a) != len(b):
            return "%s: only real %s, only ours %s" % (
                path, json.dumps([x for x in a if x not in b])[:500],
                json.dumps([x for x in b if x not in a])[:500])
        for i, (x, y) in enumerate(zip(a, b)):
            found = difference(x, y, "%s[%d]" % (path, i))
            if found:
                return found
        return ""
    return "" if a == b else "%s: real %s, ours %s" % (path, json.dumps(a), json.dumps(b))


def body_of_object(kind, rng, name, full):
    version, _, _, _, make, _ = KINDS[kind]
    return {"apiVersion": version, "kind": kind, "metadata": {"name": name, **metadata(rng)},
            **make(rng, full)}


def merged(into, change):
    for key, value in change.items():
        if isinstance(value, dict) and isinstance(into.get(key), dict):
            merged(into[key], value)
        else:
            into[key] = value


def json_patch(rng):
    label = rng.choice("abcd")
    return some(rng, [{"op": "add", "path": "/metadata/labels", "value": {"l" + label: "9"}}],
                [{"op": "add", "path": "/metadata/annotations", "value": {}}],
                [{"op": "remove", "path": "/metadata/labels"}],
                [{"op": "replace", "path": "/metadata/managedFields", "value": []}])


def step(kind, rng, name, exists, servers):
    """One request to both servers: (description, [(code, body), (code, body)])."""
    _, root, plural, namespaced, _, status = KINDS[kind]
    base = "/%s/%s%s" % (root, "namespaces/%s/" % NAMESPACE if namespaced else "", plural)
    path = "%s/%s" % (base, name)
    manager = rng.choice(MANAGERS)
    query = "?fieldManager=" + manager
    custom = root.startswith("apis/kueue")
    ways = ["apply"] * 5 + ["merge"] * 2 + ["put"] * 2 + ["json"] + ([] if custom else ["strategic"])
    if status is not None:
        ways += ["status-apply", "status-merge"]
    way = rng.choice(ways) if exists else rng.choice(["apply", "create", "create"])
    if way == "create":
        args = [("POST", base + query, body_of_object(kind, rng, name, True), "application/json")] * 2
    elif way == "apply":
        force = "&force=true" if rng.random() < 0.4 else ""
        config = body_of_object(kind, rng, name, not exists or rng.random() < 0.5)
        args = [("PATCH", path + query + force, config, APPLY)] * 2
    elif way in ("merge", "strategic"):
        patch = body_of_object(kind, rng, name, rng.random() < 0.3)
        del patch["apiVersion"], patch["kind"], patch["metadata"]["name"]
        if rng.random() < 0.2:
            patch.setdefault("metadata", {})["labels"] = None
        args = [("PATCH", path + query, patch, MERGE if way == "merge" else STRATEGIC)] * 2
    elif way == "json":
        args = [("PATCH", path + query, json_patch(rng), PATCH)] * 2
    elif way == "put":
        change = body_of_object(kind, rng, name, rng.random() < 0.3)
        drop, forget = rng.random() < 0.3, rng.random() < 0.5
        args = []
        for server in servers:
            _, body = server.ask("GET", path)
            body = copy.deepcopy(body)
            if forget:
                body["metadata"].pop("managedFields", None)
            if drop:
                body["metadata"].pop("labels", None)
            merged(body, copy.deepcopy(change))
            args.append(("PUT", path + query, body, "application/json"))
    else:
        patch = {"status": status(rng)}
        if rng.random() < 0.2:
            patch["metadata"] = {"labels": {"la": "7"}}
        if way == "status-apply":
            full = body_of_object(kind, rng, name, False)
            patch = {"apiVersion": full["apiVersion"], "kind": kind,
                     "metadata": {"name": name, **patch.get("metadata", {})}, **{
                         k: v for k, v in patch.items() if k != "metadata"}}
        force = "&force=true" if way == "status-apply" and rng.random() < 0.5 else ""
        args = [("PATCH", path + "/status" + query + force, patch,
                 APPLY if way == "status-apply" else MERGE)] * 2
    told = "%s %s %s" % (args[0][0], args[0][1], json.dumps(args[0][2]))
    return told, [server.ask(m, p, b, t) for server, (m, p, b, t) in zip(servers, args)]


def play(kind, number, seed, servers, verbose):
    """One history; the first difference, or ''."""
    rng = random.Random("%d/%d" % (seed, number))
    name = "s%d" % number
    names = [Names(), Names()]
    exists, history = False, []
    for _ in range(rng.randint(4, 10)):
        told, answers = step(kind, rng, name, exists, servers)
        history.append(told)
        codes = [code for code, _ in answers]
        bodies = [normal(body, names[i]) for i, (_, body) in enumerate(answers)]
        found = ("code: real %d, ours %d (%s | %s)" % (*codes, json.dumps(answers[0][1])[:400],
                                                      json.dumps(answers[1][1])[:400])
                 if codes[0] != codes[1] else difference(bodies[0], bodies[1]))
        if found:
            shown = "\n    ".join(history if verbose else history[-1:])
            return "%s %s, step %d: %s\n    %s" % (kind, name, len(history), found, shown)
        exists = exists or codes[0] in (200, 201)
    return ""


def install_definitions(real, program):
    """Only the version that both serve, and no conversion: nobody is there to do it."""
    for path in sorted(glob.glob(os.path.join(ROOT, "deploy", "crds", "*.yaml"))):
        crd = json.loads(subprocess.run([program, path], check=True, capture_output=True).stdout)
        if crd["spec"]["names"]["plural"] not in ("workloads", "clusterqueues"):
            continue
        crd["spec"].pop("conversion", None)
        crd["spec"]["versions"] = [v for v in crd["spec"]["versions"] if v["name"] == "v1beta2"]
        code, body = real.ask("POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
                              crd)
        if code != 201:
            sys.exit("cannot install %s: %s" % (path, body))
    for plural in ("workloads", "clusterqueues"):
        for _ in range(200):
            code, body = real.ask("GET", "/apis/kueue.x-k8s.io/v1beta2/" + plural)
            if code == 200:
                break


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("pipe")
    parser.add_argument("--sequences", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kind")
    parser.add_argument("--verbose", action="store_true")
    options = parser.parse_args()
    binaries = os.path.join(os.environ.get("KUEUE_ORACLE_DIR", os.path.join(ROOT, ".cache", "oracle")),
                            "bin", "kube-apiserver")
    if not os.path.exists(binaries):
        print("   left out: no real kube-apiserver here")
        return SKIPPED
    folder = tempfile.mkdtemp(prefix="ownership-")
    subprocess.run([CLUSTER, "up", folder], check=True, stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL)
    try:
        real = Real(os.path.join(folder, "kubeconfig"), folder)
        install_definitions(real, options.pipe)
        servers = [real, Ours(options.pipe)]
        kinds = [options.kind] if options.kind else list(KINDS)
        bad = {}
        for number in range(options.sequences):
            kind = kinds[number % len(kinds)]
            found = play(kind, number, options.seed, servers, options.verbose)
            if found:
                bad.setdefault(kind, []).append(found)
                print(found)
        for kind in kinds:
            print("%s: %d histories differ" % (kind, len(bad.get(kind, []))))
        return 1 if bad else 0
    finally:
        subprocess.run([CLUSTER, "down", folder], stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL)


if __name__ == "__main__":
    sys.exit(main())
