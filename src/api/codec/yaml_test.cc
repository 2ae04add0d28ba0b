#include <gtest/gtest.h>

#include "api/codec/json_text.h"

namespace kueue::api {
namespace {

// The documents as compact JSON, one a line.
std::string Read(std::string_view yaml) {
  const auto parsed = ParseYaml(yaml);
  if (!parsed.ok()) return "error: " + parsed.error().message;
  std::string out;
  for (const Json& document : *parsed) {
    if (!out.empty()) out += '\n';
    out += WriteJson(document);
  }
  return out;
}

TEST(ParseYaml, ReadsAManifest) {
  EXPECT_EQ(Read(R"(apiVersion: v1
kind: Pod
metadata:
  name: a
  labels: {x: "1", z: two}
spec:
  containers:
  - name: c
    args: ["a", 'b', c d]
    resources:
      requests:
        cpu: 1
        memory: 1Gi
)"),
            R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":"a",)"
            R"("labels":{"x":"1","z":"two"}},)"
            R"("spec":{"containers":[{"name":"c","args":["a","b","c d"],"resources":)"
            R"({"requests":{"cpu":1,"memory":"1Gi"}}}]}})");
}

TEST(ParseYaml, PlainScalarsFollowYaml11AsTheKubernetesToolsDo) {
  EXPECT_EQ(Read("[yes, No, on, OFF, y, N, true, False, TRUE]"),
            "[true,false,true,false,true,false,true,false,true]");
  EXPECT_EQ(Read("[~, null, Null, '', \"null\"]"), R"([null,null,null,"","null"])");
  EXPECT_EQ(Read("[0x1F, 0o17, 017, 0b101, -0x10, 1_000, +5, -0, 08]"),
            "[31,15,15,5,-16,1000,5,0,8]");
  EXPECT_EQ(Read("[1.5, .5, 1e3, 1.0, 1., 1.50, 6.02e+123]"),
            "[1.5,0.5,1000,1,1,1.50,6.02e+123]");
  EXPECT_EQ(Read("[0.99999999999999999999, 12.5e1, 1e400, 1e-400, 1e99999999999999999999]"),
            R"([0.99999999999999999999,125,1e400,1e-400,"1e99999999999999999999"])");
  EXPECT_EQ(Read("[9223372036854775808, -9223372036854775808, 123456789012345678901234567890]"),
            "[9223372036854775808,-9223372036854775808,123456789012345678901234567890]");
  EXPECT_EQ(Read("[2026-01-02, 2026-01-02T03:04:05Z, 12:30:45, 1.2.3, 100m, -, .x, 1e, nope]"),
            R"(["2026-01-02","2026-01-02T03:04:05Z","12:30:45","1.2.3","100m","-",".x","1e",)"
            R"("nope"])");
}

TEST(ParseYaml, RefusesNumbersWithoutJsonForm) {
  EXPECT_NE(Read("a: .inf").find("line 1, column 4"), std::string::npos) << Read("a: .inf");
  EXPECT_EQ(Read("a: .nan").substr(0, 6), "error:");
}

TEST(ParseYaml, HonoursCoreTags) {
  EXPECT_EQ(Read("[!!str 1, !!int '7', !!float 1, !custom x, ! 5]"), R"(["1",7,1,"x","5"])");
  EXPECT_EQ(Read("a: !!int x").substr(0, 6), "error:");
}

TEST(ParseYaml, KeysBecomeStrings) {
  EXPECT_EQ(Read("{1: a, true: b, 1.5: c, on: d}"), R"({"1":"a","true":"d","1.5":"c"})");
  EXPECT_EQ(Read("? [a]\n: b").substr(0, 6), "error:");
  EXPECT_EQ(Read("~: b").substr(0, 6), "error:");
}

TEST(ParseYaml, ManyDocumentsEmptyOnesLeftOut) {
  EXPECT_EQ(Read("---\n# nothing\n---\na: 1\n---\n---\nb: 2\n...\n"), "{\"a\":1}\n{\"b\":2}");
  EXPECT_EQ(Read(""), "");
  EXPECT_EQ(Read("# only a comment\n"), "");
}

TEST(ParseYaml, MergeKeysAndAliases) {
  EXPECT_EQ(Read("base: &b {x: 1, z: 2}\nuse:\n  z: 3\n  <<: *b\n"),
            R"({"base":{"x":1,"z":2},"use":{"z":3,"x":1}})");
  EXPECT_EQ(Read("<<: [{a: 1}, {a: 2, b: 3}]\nc: 4"), R"({"c":4,"a":1,"b":3})");
  EXPECT_EQ(Read("<<: 1").substr(0, 6), "error:");
  EXPECT_EQ(Read("\"<<\": 1"), R"({"<<":1})");
  EXPECT_EQ(Read("a: &x [1]\nb: *x"), R"({"a":[1],"b":[1]})");
  EXPECT_NE(Read("a: *x").find("no anchor"), std::string::npos);
  // An anchor has no value within itself, and ends with its document.
  EXPECT_EQ(Read("a: &x [*x]").substr(0, 6), "error:");
  EXPECT_EQ(Read("a: &x 1\n---\nb: *x").substr(0, 6), "error:");
}

TEST(ParseYaml, ExpansionIsBounded) {
  std::string bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
  for (int i = 1; i < 12; ++i) {
    const std::string before = "*a" + std::to_string(i - 1);
    bomb += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [";
    for (int k = 0; k < 10; ++k) bomb += (k > 0 ? ", " : "") + before;
    bomb += "]\n";
  }
  EXPECT_NE(Read(bomb).find("too large"), std::string::npos);
}

TEST(ParseYaml, DepthIsBounded) {
  EXPECT_EQ(Read(std::string(100000, '[')).substr(0, 6), "error:");
}

TEST(ParseYaml, ReportsDuplicateKeysByPath) {
  std::vector<DuplicateKey> duplicates;
  const auto parsed = ParseYaml("spec:\n  items:\n  - a: 1\n  - a: 1\n    a: 2\n", &duplicates);
  ASSERT_TRUE(parsed.ok());
  ASSERT_EQ(duplicates.size(), 1u);
  EXPECT_EQ(duplicates[0].path, "spec.items[1].a");
  EXPECT_EQ(WriteJson((*parsed)[0]), R"({"spec":{"items":[{"a":1},{"a":2}]}})");
}

TEST(ParseYaml, ErrorsNameThePlace) {
  EXPECT_NE(Read("a: 1\nb: [1, 2\nc: 3\n").find("line 3"), std::string::npos)
      << Read("a: 1\nb: [1, 2\nc: 3\n");
  EXPECT_EQ(Read("a: \xff").substr(0, 6), "error:");
}

TEST(WriteYaml, LooksLikeKubectl) {
  const auto json = ParseJson(
      R"({"kind":"Pod","metadata":{"creationTimestamp":"2026-01-02T03:04:05Z",)"
      R"("labels":{"on":"y"}},)"
      R"("list":[{"a":1,"b":[1,2]},["x",[]],{}],"empty":{},"none":[],"null":null,)"
      R"("text":"line 1\nline 2\n","cut":"a\nb","more":"a\n\n","colon":"a: b","num":"12","s":"",)"
      R"("dash":"-","flag":"--x","tab":"a\tb","hash":"a #b","q":"it's: x","octal":"012"})");
  ASSERT_TRUE(json.ok());
  EXPECT_EQ(WriteYaml(*json), R"(kind: Pod
metadata:
  creationTimestamp: "2026-01-02T03:04:05Z"
  labels:
    "on": "y"
list:
- a: 1
  b:
  - 1
  - 2
- - x
  - []
- {}
empty: {}
none: []
"null": null
text: |
  line 1
  line 2
cut: |-
  a
  b
more: |+
  a

colon: 'a: b'
num: "12"
s: ""
dash: '-'
flag: --x
tab: "a\tb"
hash: 'a #b'
q: 'it''s: x'
octal: "012"
)");
}

TEST(WriteYaml, ReadsBackUnchanged) {
  const char* texts[] = {
      "", " ", "a", " a", "a ", "\n", "a\n", "\na", "a\n\n", "a\n b", " a\nb", "a \nb", "a\n\n\n",
      "- a", "? a", ": a", "-a", ":a", "a:", "a: b", "a :b", "a#", "#", "---", "...", "--- x", "<<",
      "=", "~", "null", "yes", "0x10", "1e3", "1_000", ".inf", "190:20:30", "2026-01-02", "a\tb",
      "\x7f", "\xc2\x85", "\xe2\x80\xa8", "\xef\xbb\xbfx", "\xef\xbf\xbe", "\xc3\xa9", "\"", "'",
      "'a'", "%a", "@a", "`a", "!a", "&a", "*a", "|", ">", "{", "}", "[", "]", ",", "a,b", "\\",
      "\r\n", "a\rb", "\x01", "a\n\tb", "\xf0\x9f\x98\x80", "{a: b}", "a\nb: c\n"};
  for (const char* text : texts) {
    Json json;
    json["k"].Append(Json(text));
    json.Set(text, text);
    json["m"].Set("n", Json(text));
    const std::string yaml = WriteYaml(json);
    const auto back = ParseYaml(yaml);
    ASSERT_TRUE(back.ok()) << yaml << back.error().message;
    ASSERT_EQ(back->size(), 1u) << yaml;
    EXPECT_EQ(WriteJson((*back)[0]), WriteJson(json)) << yaml;
  }
}

TEST(WriteYaml, LongKeysReadBack) {
  for (const std::string& key : {std::string(300, '\0'), std::string(2000, 'k'),
                                 std::string(129, ':'), std::string(128, '\x01')}) {
    Json json;
    json.Set(key, Json(key));
    json["list"].Append(json);
    json["map"].Set(key, json["list"]);
    json["deep"].Set(key, json["map"]);
    const auto back = ParseYaml(WriteYaml(json));
    ASSERT_TRUE(back.ok()) << back.error().message;
    ASSERT_EQ(back->size(), 1u);
    EXPECT_EQ((*back)[0], json);
  }
}

TEST(WriteYaml, ScalarDocuments) {
  for (const char* text : {"a", "a\nb\n", "12"}) {
    const auto back = ParseYaml(WriteYaml(Json(text)));
    ASSERT_TRUE(back.ok());
    EXPECT_EQ((*back)[0], Json(text));
  }
}

}  // namespace
}  // namespace kueue::api
