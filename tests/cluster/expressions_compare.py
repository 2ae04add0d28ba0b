#!/usr/bin/env python3
"""Has a real API server evaluate the measured expressions of src/cel and compares the outcomes.

    expressions_compare.py KUBECONFIG [--verbose]

Each row becomes a rule of a definition (x-kubernetes-validations): `EXPRESSION == OUTCOME`. A server
that refuses the definition tells what does not compile, one that refuses the object which rule did
not hold or could not be computed. Rows that need an old object, libraries that rules do not have, or
an outcome that cannot be written as a literal are left out; and those where the server takes offence
at what was put around them. Exit: 0 alike, 1 different, 2 usage.
"""
import itertools, json, os, re, sys, time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from policies_compare import Server

ROWS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../src/cel/measured_rows.inc")
BENCH = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../src/cel/test_bench.h")
DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
BATCH = 60


def rows():
    text = open(ROWS).read()
    found = re.findall(r'^ROW\(R"~\((.*?)\)~", R"~\((.*?)\)~", -?\d+\)$', text, re.M | re.S)
    return [(expression, outcome) for expression, outcome in found
            if not re.search(r"\b(oldSelf|object|oldObject|maybe)\b|^size\(dyn\(self\)\)", expression)]


def literal(outcome):
    """The outcome as an expression; None if there is no such."""
    def timed(match):
        return '%s("%s")' % (match.group(1), match.group(2))

    if "{[" in outcome or "Inf" in outcome or "kubernetes." in outcome:
        return None
    if re.match(r"(quantity|url|ip|cidr|semver|error|named)\b", outcome) or "∞" in outcome:
        return None
    if re.match(r"^type\(", outcome):
        return outcome[5:-1]
    if outcome == "none":
        return "optional.none()"
    optional = re.match(r"^optional\((.*)\)$", outcome, re.S)
    if optional:
        inner = literal(optional.group(1))
        return inner and "optional.of(%s)" % inner
    if outcome.startswith('"'):
        return outcome
    if re.search(r"\b(none|optional|quantity|type|inf|NaN|url|cidr|semver)\b", outcome):
        return None
    outcome = re.sub(r"\b(duration|timestamp)\(([^()\"]*)\)", timed, outcome)
    outcome = re.sub(r"\bbytes\(([0-9a-f]*)\)",
                     lambda m: 'b"%s"' % re.sub("(..)", r"\\x\1", m.group(1)), outcome)
    return outcome


def schema():
    text, whole = {"type": "string", "maxLength": 100}, {"type": "integer"}

    def items(of, **more):
        return dict({"type": "array", "maxItems": 10, "items": of}, **more)

    def members(**fields):
        return {"type": "object", "properties": fields}

    either = {"x-kubernetes-int-or-string": True, "maxLength": 100}
    fields = {
        "name": text, "replicas": whole, "minReplicas": whole, "ratio": {"type": "number"},
        "whole": {"type": "number"}, "enabled": {"type": "boolean"}, "big": whole,
        "tags": items(text, **{"x-kubernetes-list-type": "set"}),
        "items": items(dict(members(name=text, value=whole, note=text), required=["name"]),
                       **{"x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["name"]}),
        "ports": items(whole),
        "labels": {"type": "object", "maxProperties": 10, "additionalProperties": text},
        "nested": members(deep=members(leaf=text), words=items(text)), "port": either,
        "target": either, "when": dict(text, format="date-time"), "day": dict(text, format="date"),
        "wait": dict(text, format="duration"), "blob": dict(text, format="byte"),
        "empty": items(text), "nothing": dict(text, nullable=True), "a.b": text, "namespace": text,
        "x-y": text, "a/b": text, "__dunder": text,
        "any": {"type": "object", "x-kubernetes-preserve-unknown-fields": True},
        "matrix": items(items(whole)), "text": text,
        "limits": {"type": "object", "maxProperties": 10, "additionalProperties": either},
        "conditions": items(dict(members(type=text, status=text), required=["type"]),
                            **{"x-kubernetes-list-type": "map",
                               "x-kubernetes-list-map-keys": ["type"]}),
        "emptyText": text, "zero": whole, "absent": members(x=whole)}
    return members(**fields)


def definition(number, rules):
    # Not the whole object: one with items at its root is taken for a list. An object all the same.
    spec = dict(schema(), **{"x-kubernetes-embedded-resource": True})
    spec["x-kubernetes-validations"] = [
        {"rule": rule, "message": "row-%d" % i} for i, rule in enumerate(rules)]
    whole = {"type": "object", "properties": {"spec": spec}}
    plural = "widgets%d" % number
    return {"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
            "metadata": {"name": plural + ".cel.example.com"},
            "spec": {"group": "cel.example.com", "scope": "Cluster",
                     "names": {"plural": plural, "kind": "Widget%d" % number},
                     "versions": [{"name": "v1", "served": True, "storage": True,
                                   "schema": {"openAPIV3Schema": whole}}]}}


def causes(body):
    return (body.get("details") or {}).get("causes") or []


def compile_all(server, number, rules):
    """Makes a definition of those rules that compile. Returns the messages of the others by index."""
    wrong = {}
    left = list(range(len(rules)))
    while left:
        code, body, _ = server.ask("POST", DEFINITIONS,
                                   definition(number, [rules[i] for i in left]))
        if code == 201:
            return wrong, left
        refused = {}
        for cause in causes(body):
            match = re.search(r"x-kubernetes-validations\[(\d+)\]", cause.get("field", ""))
            if match:
                refused.setdefault(left[int(match.group(1))], cause["message"])
        if not refused:
            raise SystemExit("the definition is refused: %s" % body.get("message"))
        wrong.update(refused)
        left = [i for i in left if i not in refused]
    return wrong, left


def evaluate(server, numbers, rules):
    """What the server says of each rule: '' where it holds."""
    number = next(numbers)
    told, left = compile_all(server, number, rules)
    told = {i: "? " + text for i, text in told.items()}
    if not left:
        return told
    spec = json.loads(re.search(r'kSelf =\s*R"\((.*?)\)";', open(BENCH).read(), re.S).group(1))
    spec.pop("anything", None)
    spec.update({"apiVersion": "v1", "kind": "Widget", "metadata": {"name": "w1"}})
    widget = {"apiVersion": "cel.example.com/v1", "kind": "Widget%d" % number,
              "metadata": {"name": "w1"}, "spec": spec}
    path = "/apis/cel.example.com/v1/widgets%d?dryRun=All" % number
    for _ in range(50):
        code, body, _ = server.ask("POST", path, widget)
        if code in (201, 422):  # others come while the definition is being taken up
            break
        time.sleep(0.1)
    server.ask("DELETE", DEFINITIONS + "/widgets%d.cel.example.com" % number)
    if code not in (201, 422):
        # One of the rules is more than the server can bear: which?
        if len(rules) == 1:
            return {0: "- the server fails: %s" % body.get("message")}
        half = len(rules) // 2
        told = evaluate(server, numbers, rules[:half])
        told.update({half + i: text
                     for i, text in evaluate(server, numbers, rules[half:]).items()})
        return told
    for cause in causes(body):
        text = re.sub(r'^Invalid value: ("object": )?', "", cause.get("message", ""))
        match = re.search(r"^(.*?)(?: evaluating rule: | for rule: )?row-(\d+)$", text, re.S)
        if match is None:
            raise SystemExit("unexpected: %s" % cause)
        text = match.group(1)
        told[left[int(match.group(2))]] = "! " + text if text else "false"
    return told


def first_place(text, shift=0):
    match = re.search(r"(?:<input>:)?(\d+):(\d+): (.*)", text)
    if match is None:
        return None
    line, column = int(match.group(1)), int(match.group(2))
    said = re.sub(r"\bselfType\d+", "Self", match.group(3).split(" | ")[0])
    return line, column - (shift if line == 1 else 0), said


def is_of_the_judge(rule, expression, told):
    """Whether the server takes offence at what was put around the expression."""
    if "estimated rule cost exceeds budget" in told or told.startswith("- "):
        return True
    place = first_place(told)
    lines = expression.count("\n") + 2
    return told.startswith("? ") and place is not None and place[0] >= lines


def judge(outcome, told):
    """Whether the server's answer is the one that was measured."""
    if outcome.startswith("? "):
        if not told.startswith("? ") or "Syntax" in outcome or "? syntax" in outcome:
            return told.startswith("? ")
        late = re.search(r"program instantiation failed: (.*)", told, re.S)
        if late:  # the server names no place there
            return outcome.split(": ", 1)[1] == late.group(1)
        return first_place(outcome[2:]) == first_place(told, len("dyn("))
    if outcome.startswith("! "):
        return told.startswith("! ") and outcome[2:] in told
    return told == ""


def main():
    arguments = [a for a in sys.argv[1:] if not a.startswith("--")]
    if len(arguments) != 1:
        print(__doc__)
        return 2
    server = Server(arguments[0])
    numbers = itertools.count(int(time.time()) % 1000000 * 1000)  # of definitions, never twice
    wanted = []
    for expression, outcome in rows():
        other = "0" if outcome[0] in "?!" else literal(outcome)
        if other:  # on a line of its own, so that places tell which of the two is meant
            wanted.append((expression, outcome, "dyn(%s\n) == dyn(%s)" % (expression, other)))
    different = left_out = 0
    for start in range(0, len(wanted), BATCH):
        batch = wanted[start:start + BATCH]
        told = evaluate(server, numbers, [rule for _, _, rule in batch])
        for i, (expression, outcome, rule) in enumerate(batch):
            if judge(outcome, told.get(i, "")):
                continue
            if is_of_the_judge(rule, expression, told.get(i, "")):
                left_out += 1
                continue
            different += 1
            print("DIFFERENT: %s\n  measured: %s\n  told: %s" %
                  (expression, outcome, told.get(i, "") or "as measured otherwise"))
    print("expressions: %d passed, %d failed, %d that cannot be judged" %
          (len(wanted) - left_out - different, different, left_out))
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
