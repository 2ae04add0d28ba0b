#!/usr/bin/env python3
"""Compares our tables of Kubernetes' kinds with a real server's /openapi/v3, field by field.

usage: compare.py DUMP_TABLES [KUBECONFIG]
       compare.py --documents ASK_SERVER [KUBECONFIG]

DUMP_TABLES is the built dump_tables. With --documents our server's own documents are compared, as
the built ask_server gives them: every schema and operation of each group but its descriptions. Without KUBECONFIG a server is started for the comparison
(tests/cluster/cluster.sh); if its binaries are not there, the exit code is 77: skipped.
Prints each field that is missing, extra or described differently; there must be none.
"""
import importlib.machinery
import importlib.util
import json
import os
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
CLUSTER = os.path.join(ROOT, "tests", "cluster", "cluster.sh")
SKIPPED = 77


def generator():
    """tools/generate_tables reads the same documents."""
    path = os.path.join(ROOT, "tools", "generate_tables")
    loader = importlib.machinery.SourceFileLoader("generate_tables", path)
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
    loader.exec_module(module)
    return module


class Comparison:
    def __init__(self, reader, schemas, dump):
        self.reader, self.schemas, self.tables = reader, schemas, dump["tables"]
        self.seen, self.fields, self.findings = set(), 0, []

    def table(self, name, index, at):
        """A schema of that full name and one of our tables."""
        if (name, index) in self.seen:
            return
        self.seen.add((name, index))
        theirs, ours = self.schemas[name].get("properties", {}), self.tables[index]
        required = self.schemas[name].get("required", [])
        own_type = "kind" in theirs and "apiVersion" in theirs and "kind" not in ours
        for key in sorted(set(theirs) | set(ours)):
            if own_type and key in ("apiVersion", "kind"):
                continue
            here = "%s.%s" % (at, key)
            self.fields += 1
            if key not in ours:
                self.findings.append(here + ": missing")
            elif key not in theirs:
                self.findings.append(here + ": extra")
            else:
                self.field(theirs[key], key in required, ours[key], here)

    def field(self, schema, required, ours, at):
        kind = self.reader.type_of(schema)
        strategy = schema.get("x-kubernetes-patch-strategy", "").split(",")
        own = self.schemas.get(kind, {})
        wanted = {
            "required": required,
            "list_type": schema.get("x-kubernetes-list-type", ""),
            "keys": schema.get("x-kubernetes-list-map-keys", []),
            "merge_key": schema.get("x-kubernetes-patch-merge-key", ""),
            "merges": "merge" in strategy,
            "retains": "retainKeys" in strategy,
            "values": schema.get("enum") or (schema.get("items") or schema.get(
                "additionalProperties") or {}).get("enum", []),
            "atomic": "atomic" in (schema.get("x-kubernetes-map-type"),
                                   own.get("x-kubernetes-map-type")),
        }
        default = schema.get("default")
        if default not in (None, "", 0, {}):
            wanted["default"] = json.dumps(default)
        for what, value in wanted.items():
            if ours[what] != value:
                self.findings.append("%s: %s is %s, not %s" % (at, what, ours[what], value))
        self.type(kind, ours["type"], at)

    def type(self, theirs, ours, at):
        while theirs[:2] in ("[]", "{}") and theirs[:2] == ours[:2]:
            theirs, ours = theirs[2:], ours[2:]
        if ours.isdigit() and theirs in self.schemas:
            self.table(theirs, int(ours), at)
        elif theirs != ours:
            self.findings.append("%s: is %s, not %s" % (at, ours, theirs))


def compare(dump_tables, kubeconfig):
    reader = generator()
    schemas = reader.Server(kubeconfig).schemas()
    dump = json.loads(subprocess.run([dump_tables], check=True, capture_output=True).stdout)
    comparison = Comparison(reader, schemas, dump)
    kinds = 0
    for kind, index in dump["kinds"].items():
        api_version, name = kind.split(" ")
        group, _, version = api_version.rpartition("/")
        wanted = {"group": group, "version": version, "kind": name}
        found = [n for n, s in schemas.items() if n.endswith("." + name)
                 and wanted in s.get("x-kubernetes-group-version-kind", [])]
        if found:
            kinds += 1
            comparison.table(found[0], index, name)
        elif not name.endswith("Review"):
            comparison.findings.append(kind + ": the server does not know it")
    for finding in comparison.findings:
        print(finding)
    print("%d kinds, %d fields compared, %d differences" % (kinds, comparison.fields,
                                                            len(comparison.findings)))
    return 1 if comparison.findings else 0


def normal(value):
    """Without descriptions, and one of the two ways to write a reference or a default."""
    if isinstance(value, list):
        return [normal(v) for v in value]
    if not isinstance(value, dict):
        return value
    out = {k: normal(v) for k, v in value.items()
           if not (k == "description" and isinstance(v, str))}
    if out.get("x-kubernetes-map-type") == "granular":  # which is what a map is anyway
        del out["x-kubernetes-map-type"]
    return out["allOf"][0] if set(out) == {"allOf"} and len(out["allOf"]) == 1 else out


def differences(theirs, ours, at):
    if isinstance(theirs, dict) and isinstance(ours, dict):
        for key in sorted(set(theirs) | set(ours)):
            here = "%s.%s" % (at, key)
            if key not in ours:
                yield here + ": missing"
            elif key not in theirs:
                yield here + ": extra"
            else:
                yield from differences(theirs[key], ours[key], here)
    elif isinstance(theirs, list) and isinstance(ours, list) and len(theirs) == len(ours):
        for i, pair in enumerate(zip(theirs, ours)):
            yield from differences(*pair, "%s[%d]" % (at, i))
    elif theirs != ours:
        yield "%s: is %s, not %s" % (at, json.dumps(ours)[:120], json.dumps(theirs)[:120])


def compare_documents(ask_server, kubeconfig):
    server = generator().Server(kubeconfig)

    def ask(path):
        return json.loads(subprocess.run([ask_server, path], check=True,
                                         capture_output=True).stdout)

    found, documents = [], 0
    theirs, ours = server.get("/openapi/v3")["paths"], ask("/openapi/v3")["paths"]
    found += ["%s: missing" % path for path in theirs if path not in ours]
    for path in theirs:
        if path in ours:
            documents += 1
            found += differences(normal(server.get("/openapi/v3/" + path)),
                                 normal(ask("/openapi/v3/" + path)), path)
    for finding in found:
        print(finding)
    print("%d documents compared, %d differences" % (documents, len(found)))
    return 1 if found else 0


def main():
    arguments, comparison = sys.argv[1:], compare
    if arguments[:1] == ["--documents"]:
        arguments, comparison = arguments[1:], compare_documents
    if len(arguments) not in (1, 2):
        sys.exit(__doc__)
    if len(arguments) == 2:
        return comparison(*arguments)
    oracle = os.environ.get("KUEUE_ORACLE_DIR", os.path.join(ROOT, ".cache", "oracle"))
    if not os.path.exists(os.path.join(oracle, "bin", "kube-apiserver")):
        print("no kube-apiserver in %s: skipped" % oracle)
        return SKIPPED
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([CLUSTER, "up", folder], check=True)
        try:
            return comparison(arguments[0], os.path.join(folder, "kubeconfig"))
        finally:
            subprocess.run([CLUSTER, "down", folder], check=False)


if __name__ == "__main__":
    sys.exit(main())
