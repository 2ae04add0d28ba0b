"""Definitions and writes that are compared with the real API server."""
import copy

MERGE = "application/merge-patch+json"
JSON_PATCH = "application/json-patch+json"
STRATEGIC = "application/strategic-merge-patch+json"
DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"


def text(**more):
    return {"type": "string", **more}


def integer(**more):
    return {"type": "integer", **more}


def number(**more):
    return {"type": "number", **more}


def objects(properties=None, **more):
    schema = {"type": "object", **more}
    if properties is not None:
        schema["properties"] = properties
    return schema


def array(items, **more):
    return {"type": "array", "items": items, **more}


def rule(expression, **more):
    return {"rule": expression, **more}


def version(schema, name="v1", storage=True, served=True, **more):
    return {"name": name, "served": served, "storage": storage,
            "schema": {"openAPIV3Schema": schema}, **more}


def definition(group, versions, scope="Cluster", plural="things", kind="Thing", **names):
    return {"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
            "metadata": {"name": "%s.%s" % (plural, group)},
            "spec": {"group": group, "scope": scope, "versions": versions,
                     "names": {"plural": plural, "singular": plural[:-1], "kind": kind,
                               "listKind": kind + "List", **names}}}


class Things:
    """Writes to the objects of one definition."""

    def __init__(self, recorder, group, version_name="v1"):
        self.recorder, self.group, self.version = recorder, group, version_name
        self.base = "/apis/%s/%s/things" % (group, version_name)
        self.count = 0

    def body(self, name, **members):
        return {"apiVersion": "%s/%s" % (self.group, self.version), "kind": "Thing",
                "metadata": {"name": name}, **members}

    def create(self, query="", **members):
        self.count += 1
        name = "o%d" % self.count
        return self.recorder.step("POST", self.base + query, self.body(name, **members))

    def spec(self, *specs):
        for spec in specs:
            self.create(spec=spec)

    def patch(self, name, patch, kind=MERGE, sub=""):
        return self.recorder.step("PATCH", "%s/%s%s" % (self.base, name, sub), patch, kind)

    def get(self, name, sub=""):
        return self.recorder.step("GET", "%s/%s%s" % (self.base, name, sub))


def spec_case(name, about, spec_schema, specs, patches=(), root=None):
    """One definition with that schema of spec; an object each of specs; patches of objects."""
    group = name + ".example.com"

    def play(recorder):
        schema = objects({"spec": spec_schema}, **(root or {}))
        recorder.define(definition(group, [version(schema)]))
        things = Things(recorder, group)
        things.spec(*specs)
        for patch in patches:
            things.patch(*patch)
        recorder.step("DELETE", "%s/things.%s" % (DEFINITIONS, group))
    return name, about, play


def bounds():
    schema = objects({
        "s": text(minLength=2, maxLength=4, pattern="^[a-z]+$"), "e": text(enum=["A", "B"]),
        "n": integer(minimum=1, maximum=3), "x": integer(minimum=1, exclusiveMinimum=True),
        "y": number(maximum=2.5, exclusiveMaximum=True), "f": number(multipleOf=0.5),
        "m": integer(multipleOf=3), "b": {"type": "boolean"}, "i32": integer(format="int32"),
        "i64": integer(format="int64"), "l": array(text(maxLength=3), minItems=1, maxItems=2),
        "p": objects(minProperties=1, maxProperties=2, additionalProperties=text()),
        "ne": integer(enum=[1, 2]), "oe": objects({"a": text()}, enum=[{"a": "x"}]),
        "ios": {"x-kubernetes-int-or-string": True}}, required=["s"])
    specs = [{"s": "ok", **more} for more in (
        {}, {"s": "a"}, {"s": "abcde"}, {"s": "AB"}, {"s": "éé"}, {"s": 5}, {"s": True},
        {"e": "A"}, {"e": "C"}, {"e": 1}, {"n": 1}, {"n": 0}, {"n": 4}, {"n": 1.5}, {"n": "1"},
        {"n": 2.0}, {"x": 1}, {"x": 2}, {"y": 2.5}, {"y": 2.4}, {"y": 3}, {"f": 1.5}, {"f": 0.3},
        {"f": 2}, {"m": 6}, {"m": 7}, {"b": "true"}, {"b": False}, {"i32": 3000000000},
        {"i64": 3000000000}, {"l": []}, {"l": ["a", "b", "c"]}, {"l": ["abcd"]}, {"l": [1]},
        {"l": {}}, {"l": "x"}, {"p": {}}, {"p": {"a": "1", "b": "2", "c": "3"}}, {"p": {"a": 1}},
        {"ne": 3}, {"ne": 2}, {"oe": {"a": "y"}}, {"oe": {"a": "x"}}, {"ios": 5}, {"ios": "5"},
        {"ios": 1.5}, {"ios": True}, {"ios": []}, {"e": None, "n": None})]
    specs += [{}, {"e": "C", "n": 9, "l": []}, {"n": {}, "l": "", "b": 0, "p": [], "f": "x"},
              "text", 5, [], None, {"s": "a\nb"}, {"s": "a\"b"}]
    return spec_case("bounds", "types, bounds, enums", schema, specs)


def formats():
    names = ["date", "date-time", "duration", "ipv4", "ipv6", "cidr", "uri", "email", "hostname",
             "mac", "uuid", "byte", "hexcolor", "ssn", "k8s-short-name", "k8s-long-name", "odd"]
    schema = objects({n.replace("-", ""): text(format=n) for n in names})
    values = {
        "date": ["2024-02-29", "2023-02-29", "x"],
        "datetime": ["2024-01-01T00:00:00Z", "2024-01-01T25:00:00Z", "2024-01-01 00:00:00Z",
                     "2024-01-01t00:00:00.5+01:00", 5, True],
        "duration": ["1h30m", "1.5s", "5 days", "x", ""],
        "ipv4": ["1.2.3.4", "1.2.3", "256.1.1.1", "::1"],
        "ipv6": ["::1", "fe80::1:2", "1.2.3.4", "1:2:3:4:5:6:7:8", "1::2::3"],
        "cidr": ["10.0.0.0/8", "10.0.0.0", "10.0.0.0/33", "fd00::/8"],
        "uri": ["https://a.b/c?d", "/a", "a b", "nothing"],
        "email": ["a@b.c", "a", "A <a@b.c>"],
        "hostname": ["a.example.com", "-a", "a_b"],
        "mac": ["01:02:03:04:05:06", "01-02"],
        "uuid": ["123e4567-e89b-12d3-a456-426614174000", "123"],
        "byte": ["YQ==", "?"], "hexcolor": ["#FFF", "#GGG"], "ssn": ["111-22-3333", "1"],
        "k8sshortname": ["a-b", "A"], "k8slongname": ["a.b", "a..b"], "odd": ["anything"]}
    return spec_case("formats", "formats of texts", schema,
                     [{k: v} for k, vs in values.items() for v in vs])


def logic():
    schema = objects({
        "one": objects({"a": text(), "b": text()},
                       oneOf=[{"required": ["a"]}, {"required": ["b"]}]),
        "any": objects({"a": integer(), "b": text()},
                       anyOf=[{"required": ["a"]}, {"properties": {"b": {"enum": ["x"]}},
                                                    "required": ["b"]}]),
        "all": integer(allOf=[{"minimum": 2}, {"maximum": 4}]),
        "no": text(**{"not": {"enum": ["bad"]}}),
        "q": {"anyOf": [{"type": "integer"}, {"type": "string"}], "pattern": "^[0-9]+m?$",
              "x-kubernetes-int-or-string": True}})
    specs = [{"one": {}}, {"one": {"a": "1"}}, {"one": {"a": "1", "b": "2"}}, {"one": {"a": 1}},
             {"any": {}}, {"any": {"a": 1}}, {"any": {"b": "x"}}, {"any": {"b": "y"}},
             {"any": {"a": 1, "b": "y"}}, {"all": 1}, {"all": 3}, {"all": 5}, {"all": "x"},
             {"no": "bad"}, {"no": "good"}, {"q": 5}, {"q": "5m"}, {"q": "x"}, {"q": 1.5}]
    return spec_case("logic", "oneOf, anyOf, allOf, not", schema, specs)


def pruning():
    schema = objects({
        "a": text(default="x"), "n": integer(nullable=True),
        "nd": integer(nullable=True, default=4),
        "free": objects({"known": objects({"k": text()})},
                        **{"x-kubernetes-preserve-unknown-fields": True}),
        "deep": objects({"q": integer(default=7), "r": objects({"s": text(default="t")})},
                        default={}),
        "list": array(objects({"k": text(), "d": {"type": "boolean", "default": True}})),
        "m": objects(additionalProperties=objects({"v": integer(default=1)})),
        "any": {"x-kubernetes-preserve-unknown-fields": True},
        "emb": objects({"data": objects(additionalProperties=text())},
                       **{"x-kubernetes-embedded-resource": True})})
    emb = {"apiVersion": "v1", "kind": "ConfigMap"}
    specs = [{}, {"a": None, "n": None, "nd": None, "bogus": 1}, {"nd": 1},
             {"free": {"x": {"y": 1}, "known": {"k": "1", "z": 2}}},
             {"deep": {"q": None, "x": 1, "r": {}}}, {"deep": None},
             {"list": [{"k": "1", "z": 1}, {"d": False}, {}]}, {"m": {"a": {}, "b": {"v": 2, "w": 3}}},
             {"any": {"a": [1, {"b": None}]}}, {"any": 5}, {"any": "x"}, {"m": None, "list": None},
             {"emb": {**emb, "data": {"a": "b"}, "more": 1}}, {"emb": {}}, {"emb": {"kind": "X"}},
             {"emb": {**emb, "metadata": {"name": "x", "bogus": 1}}},
             {"emb": {**emb, "kind": "a b"}}, {"emb": {**emb, "apiVersion": "a/b/c"}},
             {"emb": {**emb, "kind": ""}}, {"a": 5, "bogus": {"x": 1}}, None]
    patches = [("o1", {"spec": {"a": None, "zzz": 1}}), ("o1", {"spec": {"a": "y"}}),
               ("o1", [{"op": "replace", "path": "/spec/a", "value": "z"}], JSON_PATCH),
               ("o1", [{"op": "test", "path": "/spec/a", "value": "no"}], JSON_PATCH),
               ("o1", {"spec": {"a": "y"}}, STRATEGIC), ("o1", {"other": 1})]
    return spec_case("pruning", "unknown fields, defaults, nulls, embedded resources", schema,
                     specs, patches)


def field_validation():
    group = "fields.example.com"

    def play(recorder):
        schema = objects({"spec": objects({"a": text(), "l": array(objects({"k": text()}))})})
        recorder.define(definition(group, [version(schema)]))
        things = Things(recorder, group)
        body = {"a": "x", "b": 1, "l": [{"k": "1", "z": 1}]}
        for query in ("?fieldValidation=Strict", "?fieldValidation=Warn",
                      "?fieldValidation=Ignore", "?dryRun=All"):
            things.create(query, spec=body, extra=1)
        things.create("?fieldValidation=Strict", spec={"a": "x"})
        things.recorder.step("POST", things.base, things.body("f", metadata2=1))
        bad = things.body("g")
        bad["metadata"]["finalizers"] = ["odd", "a.b", "x.io/f"]
        things.recorder.step("POST", things.base, bad)
        recorder.step("DELETE", "%s/things.%s" % (DEFINITIONS, group))
    return "fields", "fieldValidation, dry runs", play


def lists():
    key = objects({"k": text(), "v": text()}, required=["k"])
    two = objects({"a": text(default="d"), "b": integer()}, required=["b"])
    schema = objects({
        "s": array(text(), **{"x-kubernetes-list-type": "set"}),
        "m": array(key, **{"x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["k"]}),
        "t": array(two, **{"x-kubernetes-list-type": "map",
                           "x-kubernetes-list-map-keys": ["a", "b"]}),
        "mm": objects(additionalProperties=array(integer(), **{"x-kubernetes-list-type": "set"}))})
    specs = [{"s": ["x", "x"]}, {"s": ["x", "y", "x", "x"]}, {"s": ["x", "y"]},
             {"m": [{"k": "1"}, {"k": "1"}]}, {"m": [{"v": "1"}]}, {"m": [{"k": "1"}, {"k": "2"}]},
             {"t": [{"b": 1}, {"a": "d", "b": 1}]}, {"t": [{"b": 1}, {"b": 2}]},
             {"mm": {"z": [1, 1]}}, {"m": ["x"]}]
    return spec_case("lists", "sets and keyed lists", schema, specs)


def rules():
    schema = objects({
        "min": integer(), "max": integer(),
        "fixed": text(maxLength=20, **{"x-kubernetes-validations": [
            rule("self == oldSelf", message="stays")]}),
        "once": text(maxLength=20, **{"x-kubernetes-validations": [
            rule("!oldSelf.hasValue() || oldSelf.value() == self", optionalOldSelf=True)]}),
        "names": array(text(maxLength=9), maxItems=5, **{"x-kubernetes-validations": [
            rule("self.all(x, x.startsWith('a'))", reason="FieldValueForbidden")]}),
        "opt": objects({"k": text(maxLength=9), "o p": text()}, **{"x-kubernetes-validations": [
            rule("has(self.k)", fieldPath=".k", reason="FieldValueRequired"),
            rule("!has(self.k) || self.k != 'dup'", reason="FieldValueDuplicate"),
            rule("!has(self.k) || self.k != 'q'", fieldPath="['o p']")]}),
        "msg": integer(**{"x-kubernetes-validations": [
            rule("self > 5", messageExpression="self > 3 ? 'is nearly enough' : 'is too small'",
                 message="plain")]}),
        "emptymsg": integer(**{"x-kubernetes-validations": [
            rule("self > 5", messageExpression="''", message="  plain  ")]}),
        "ios": {"x-kubernetes-int-or-string": True, "x-kubernetes-validations": [
            rule("type(self) == int ? self > 1 : self != ''")]},
        "when": text(format="date-time", **{"x-kubernetes-validations": [
            rule("self > timestamp('2024-01-01T00:00:00Z')")]}),
        "m": objects(additionalProperties=integer(maximum=5, **{"x-kubernetes-validations": [
            rule("self != 3")]}), maxProperties=4),
        "keyed": array(objects({"k": text(maxLength=9), "v": integer(**{
            "x-kubernetes-validations": [rule("self >= oldSelf", message="only grows")]})},
            required=["k"]), maxItems=9,
            **{"x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["k"]}),
        "div": integer(**{"x-kubernetes-validations": [rule("10 / self > 1")]})},
        **{"x-kubernetes-validations": [
            rule("!has(self.min) || !has(self.max) || self.min <= self.max", message="order"),
            rule("!has(oldSelf.max) || has(self.max)", message="max stays")]})
    root = {"x-kubernetes-validations": [rule("self.metadata.name != 'o2' || has(self.spec.min)")]}
    specs = [{"min": 1, "max": 2, "fixed": "x", "once": "a", "keyed": [{"k": "a", "v": 2}]},
             {"max": 2}, {"min": 3, "max": 2}, {"names": ["a", "b"]}, {"opt": {}},
             {"opt": {"k": "dup"}}, {"opt": {"k": "q"}}, {"msg": 3}, {"msg": 6}, {"emptymsg": 1},
             {"ios": 1}, {"ios": 2}, {"ios": ""}, {"when": "2023-01-01T00:00:00Z"},
             {"when": "2025-01-01T00:00:00Z"}, {"m": {"a": 3, "b": 4}}, {"m": {"a": 6}},
             {"div": 0}, {"div": 20}, {"min": "x", "max": 1},
             {"min": 3, "max": 2, "names": ["b"], "opt": {}, "msg": 1}]
    patches = [("o1", {"spec": {"fixed": "y"}}), ("o1", {"spec": {"once": "b"}}),
               ("o1", {"spec": {"max": None}}), ("o1", {"spec": {"min": 9}}),
               ("o1", {"spec": {"keyed": [{"k": "a", "v": 1}]}}),
               ("o1", {"spec": {"keyed": [{"k": "b", "v": 1}, {"k": "a", "v": 3}]}}),
               ("o1", {"spec": {"fixed": None}}), ("o1", {"spec": {"fixed": "z"}})]
    return spec_case("rules", "rules in CEL", schema, specs, patches, root)


def ratcheting():
    group = "ratcheting.example.com"

    def schema(strict):
        more = {"maximum": 5} if strict else {}
        cel = {"x-kubernetes-validations": [rule("self != 'bad'", message="bad")]}
        return objects({"spec": objects({
            "a": integer(**more), "b": integer(),
            "c": text(maxLength=10, **(cel if strict else {})),
            "o": objects({"x": integer(**more), "y": integer()}),
            "l": array(integer(**more)),
            "k": array(objects({"k": text(), "v": integer(**more)}, required=["k"]),
                       **{"x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["k"]}),
            "s": array(text(), **({"x-kubernetes-list-type": "set"} if strict else {}))})})

    def play(recorder):
        made = definition(group, [version(schema(False))])
        recorder.define(made)
        things = Things(recorder, group)
        things.spec({"a": 9, "c": "bad", "o": {"x": 9}, "l": [9], "k": [{"k": "1", "v": 9}],
                     "s": ["a", "a"]})
        changed = copy.deepcopy(made)
        changed["spec"]["versions"] = [version(schema(True))]
        recorder.step("PATCH", "%s/things.%s" % (DEFINITIONS, group),
                      {"spec": {"versions": changed["spec"]["versions"]}}, MERGE)
        recorder.settle(changed)
        for patch in ({"b": 1}, {"a": 8}, {"o": {"y": 1}}, {"o": {"x": 8}}, {"l": [9, 9]},
                      {"k": [{"k": "1", "v": 9}, {"k": "2", "v": 1}]},
                      {"k": [{"k": "2", "v": 9}]}, {"c": "bad2"}, {"c": "bad"},
                      {"s": ["a", "a", "b"]}, {"a": 1, "l": [1], "c": "x"}, {"a": 9}):
            things.patch("o1", {"spec": patch})
        things.spec({"a": 9})
        recorder.step("DELETE", "%s/things.%s" % (DEFINITIONS, group))
    return "ratcheting", "mistakes in what did not change", play


def subresources():
    group = "subresources.example.com"

    def play(recorder):
        schema = objects({
            "spec": objects({"replicas": integer(), "sel": text()}),
            "status": objects({"replicas": integer(minimum=0), "sel": text(), "e": text(enum=["A"]),
                               "r": objects({"k": text()}, required=["k"])})})
        recorder.define(definition(group, [version(schema, subresources={
            "status": {}, "scale": {"specReplicasPath": ".spec.replicas",
                                    "statusReplicasPath": ".status.replicas",
                                    "labelSelectorPath": ".status.sel"}})]))
        things = Things(recorder, group)
        things.create(spec={"replicas": 1}, status={"replicas": 9})
        things.create(spec={})
        things.create(spec={"replicas": -1})
        things.create(spec={"replicas": 3000000000})
        for patch in ({"status": {"replicas": 1, "sel": "a=b"}, "spec": {"replicas": 5}},
                      {"status": {"replicas": "x"}}, {"status": {"e": "B"}},
                      {"status": {"r": {}}}, {"status": {"zzz": 1}}, {"status": None},
                      {"status": {"replicas": -1}}, {"metadata": {"labels": {"a": "b"}}},
                      {"status": {"replicas": 2}}):
            things.patch("o1", patch, MERGE, "/status")
        things.get("o1", "/scale")
        for patch in ({"spec": {"replicas": 3}}, {"spec": {"replicas": 0}},
                      {"spec": {"replicas": -1}}, {"status": {"replicas": 7}}):
            things.patch("o1", patch, MERGE, "/scale")
        things.get("o2", "/scale")
        things.get("o1")
        recorder.step("PUT", things.base + "/o1", things.body("o1", spec={"replicas": 2}))
        recorder.step("DELETE", things.base + "/o1")
        recorder.step("DELETE", "%s/things.%s" % (DEFINITIONS, group))
    return "subresources", "status and scale", play


def versions():
    group = "versions.example.com"

    def play(recorder):
        old = objects({"spec": objects({"a": text(), "d": text(default="one")})})
        new = objects({"spec": objects({"a": text(), "b": integer(), "d": text(default="two"),
                                        "e": integer(default=3)})})
        made = definition(group, [version(old)])
        recorder.define(made)
        first = Things(recorder, group)
        first.spec({"a": "x"}, {"a": "y", "b": 1})
        made["spec"]["versions"] = [version(old, storage=False, deprecated=True),
                                    version(new, "v2")]
        recorder.step("PATCH", "%s/things.%s" % (DEFINITIONS, group),
                      {"spec": {"versions": made["spec"]["versions"]}}, MERGE)
        recorder.settle(made)
        second = Things(recorder, group, "v2")
        second.get("o1")
        first.get("o1")
        recorder.step("POST", second.base, second.body("p", spec={"a": "z", "b": 5}))
        first.get("p")
        recorder.step("GET", first.base)
        recorder.step("GET", second.base)
        first.patch("p", {"spec": {"a": "w"}})
        second.get("p")
        second.patch("o1", {"spec": {"b": 7}})
        first.get("o1")
        recorder.step("POST", first.base, second.body("q"))
        recorder.step("DELETE", "%s/things.%s" % (DEFINITIONS, group))
    return "versions", "two versions", play


def refused():
    """Definitions that are not let in. Dry runs: nothing is stored."""
    group = "refused.example.com"
    keep = {"x-kubernetes-preserve-unknown-fields": True}

    def with_spec(schema, **more):
        return definition(group, [version(objects({"spec": schema}), **more)])

    def changed(path, value):
        made = with_spec(objects(**keep))
        at = made
        for key in path[:-1]:
            at = at[key]
        if value is None:
            del at[path[-1]]
        else:
            at[path[-1]] = value
        return made

    def celled(expression, **more):
        return with_spec(objects({"a": integer(), "s": text(), "l": array(text())},
                                 **{"x-kubernetes-validations": [rule(expression, **more)]}))

    listed = {"x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["k"]}
    definitions = [
        changed(("spec", "group"), "other.example.com"), changed(("spec", "group"), "nodots"),
        changed(("spec", "scope"), "Odd"), changed(("spec", "names", "plural"), "Bad_"),
        changed(("spec", "names", "kind"), "thing!"), changed(("spec", "names", "shortNames"), ["a_b"]),
        changed(("spec", "names", "categories"), ["A"]), changed(("spec", "names", "listKind"), "Thing"),
        changed(("spec", "conversion"), {"strategy": "Webhook"}),
        changed(("spec", "conversion"), {"strategy": "Odd"}),
        changed(("spec", "conversion"), {"strategy": "None", "webhook": {
            "conversionReviewVersions": ["v1"]}}),
        changed(("spec", "preserveUnknownFields"), True),
        changed(("spec", "versions", 0, "schema"), None),
        changed(("spec", "versions", 0, "name"), "Bad!"),
        changed(("spec", "versions", 0, "deprecationWarning"), "x"),
        with_spec({}), with_spec({"type": "odd"}), with_spec({"type": "array"}),
        with_spec({"type": "null"}), with_spec(text(pattern="(")),
        with_spec(array({})), with_spec(objects({"a": integer(default="x")})),
        with_spec(objects({"a": text(default="x")}, default={"b": 1})),
        with_spec(objects({"a": text()}, additionalProperties=text())),
        with_spec(objects(**{"x-kubernetes-preserve-unknown-fields": False})),
        with_spec(objects(**{"x-kubernetes-embedded-resource": True})),
        with_spec(text(**{"x-kubernetes-embedded-resource": True})),
        with_spec({"x-kubernetes-int-or-string": True, **keep}),
        with_spec(text(**{"x-kubernetes-list-type": "set"})),
        with_spec(array(text(), **{"x-kubernetes-list-type": "odd"})),
        with_spec(array(objects(), **{"x-kubernetes-list-type": "set"})),
        with_spec(array(objects({"k": text()}), **listed)),
        with_spec(array(objects({"k": text(nullable=True)}, required=["k"]), **listed)),
        with_spec(array(objects({"z": text()}), **listed)), with_spec(array(text(), **listed)),
        with_spec(array(objects({"k": objects()}, required=["k"]), **listed)),
        with_spec(array(text(), **{"x-kubernetes-list-map-keys": ["k"]})),
        with_spec(objects(**{"x-kubernetes-map-type": "odd"})),
        with_spec(text(**{"x-kubernetes-map-type": "atomic"})),
        with_spec(array(text(), uniqueItems=True)),
        with_spec(objects({"a": text()}, anyOf=[{"type": "object"}])),
        with_spec(objects({"a": text()}, oneOf=[{"properties": {"b": {"minLength": 1}}}])),
        with_spec(objects({"a": text()}, allOf=[{"properties": {"a": {"description": "x",
                                                                      "default": "y"}}}])),
        with_spec(text(**{"not": {"nullable": True}})),
        with_spec(objects(**{"$ref": "#/x"})), with_spec(objects(patternProperties={"a": text()})),
        with_spec(objects(definitions={"a": text()})),
        definition(group, [version(text())]), definition(group, [version({"properties": {"a": {}}})]),
        definition(group, [version(objects(nullable=True))]),
        definition(group, [version(objects(additionalProperties=text()))]),
        definition(group, [version(objects({"metadata": objects({"labels": objects()})}))]),
        definition(group, [version(objects({"kind": integer()}))]),
        definition(group, [version(objects({"kind": text(default="x")}))]),
        celled("self.none > 1"), celled("self.a"), celled("self.a > 'x'"),
        celled(" "), celled("self.a > 1", message=" "), celled("self.a > 1", message="a\nb"),
        celled("self.a >\n1"), celled("self.a > 1", messageExpression="self.a"),
        celled("self.a > 1", messageExpression="self.none"), celled("self.a > 1", reason="Odd"),
        celled("self.a > 1", fieldPath=".none"), celled("self.a > 1", fieldPath="a"),
        celled("self.a > 1", optionalOldSelf=True), celled("self.a > 1", fieldPath=".a"),
        with_spec(array(integer(**{"x-kubernetes-validations": [rule("self == oldSelf")]}))),
        with_spec(objects({"a": integer(default=1, **{"x-kubernetes-validations": [
            rule("self > 1", message="m")]})})),
        changed(("spec", "versions", 0, "additionalPrinterColumns"),
                [{"name": "x", "type": "odd", "jsonPath": ".a"}]),
        changed(("spec", "versions", 0, "additionalPrinterColumns"),
                [{"name": "x", "type": "string", "jsonPath": "a", "format": "odd"}]),
        changed(("spec", "versions", 0, "selectableFields"), [{"jsonPath": ".spec.none"}]),
        changed(("spec", "versions", 0, "selectableFields"), [{"jsonPath": ".spec"}]),
        changed(("spec", "versions", 0, "selectableFields"), [{"jsonPath": "spec"}]),
        changed(("spec", "versions", 0, "subresources"), {"scale": {
            "specReplicasPath": "x", "statusReplicasPath": ".spec.x"}}),
        definition("a.k8s.io", [version(objects(**keep))]),
        with_spec(text(format="odd")),
    ]

    def play(recorder):
        for made in definitions:
            recorder.step("POST", DEFINITIONS + "?dryRun=All", made)
    return "refused", "definitions that are refused", play


def costs():
    group = "costs.example.com"

    def spec(schema):
        return definition(group, [version(objects({"spec": schema}))])

    def celled(schema, *expressions):
        return {**schema, "x-kubernetes-validations": [rule(e) for e in expressions]}

    texts, few = array(text()), array(text(maxLength=10), maxItems=10)
    definitions = [spec(objects({"a": celled(schema, expression)})) for schema, expression in (
        (texts, "self.all(x, self.all(y, x == y))"), (few, "self.all(x, self.all(y, x == y))"),
        (texts, "self.all(x, x != '')"), (texts, "self.exists(x, x.contains('a'))"),
        (texts, "self.all(x, x.matches('^[a-z]+$'))"), (texts, "size(self) > 1"),
        (texts, "self.exists_one(x, x == 'a')"), (texts, "self.map(x, x + 'a').size() > 1"),
        (texts, "self.filter(x, x == 'a').all(y, self.all(z, y == z))"),
        (text(), "self.matches('^[a-z]{1,60}$')"), (text(), "self.contains(self)"),
        (text(), "self.split(',').all(x, x != '')"), (text(maxLength=1000), "self.matches(self)"),
        (text(), "self.lowerAscii() == self"), (text(), "self in ['a', 'b']"),
        (text(), "self.replace('a', 'bb').size() > 1"),
        (integer(), "self > 1"), (array(integer()), "self.all(x, self.exists(y, y == x))"),
        (array(integer(), maxItems=3000), "self.all(x, self.exists(y, y == x))"),
        (array(integer(), maxItems=1000), "self.all(x, self.all(y, self.all(z, x + y + z > 0)))"),
        (objects(additionalProperties=text()), "self.all(k, self[k] != '')"),
        (objects(additionalProperties=text(maxLength=9), maxProperties=99),
         "self.all(k, self.all(l, self[k] == self[l]))"),
        (text(format="date-time"), "self > timestamp('2024-01-01T00:00:00Z')"),
        (text(enum=["a", "bb"]), "self.matches('^[ab]+$')"))]
    item = celled(objects({"k": text()}), "self.k.matches('^[a-z]{1,30}$')")
    definitions += [spec(objects({"a": integer(**{"x-kubernetes-validations": [
        rule("self > 1", messageExpression="'is ' + string(self)")]})})), spec(array(item)), spec(array(item, maxItems=10)),
                    spec(array(array(celled(integer(), "self > 1"))))]

    def play(recorder):
        for made in definitions:
            recorder.step("POST", DEFINITIONS + "?dryRun=All", made)
    return "costs", "what rules may cost", play


def all_cases():
    return [bounds(), formats(), logic(), pruning(), field_validation(), lists(), rules(),
            ratcheting(), subresources(), versions(), refused(), costs()]
