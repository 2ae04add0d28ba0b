#include <gtest/gtest.h>

#include "api/codec/json_text.h"
#include "api/schema/kind.h"
#include "api/types/batch.h"
#include "api/types/kueue.h"
#include "base/time.h"

namespace kueue::api {
namespace {

Json Parse(std::string_view text) { return ParseJson(text).value(); }

std::string Cells(const KindInfo& kind, std::string_view object) {
  const Time now = base::ParseTime("2026-01-01T01:00:00Z").value();
  Json cells = Json::MakeArray();
  for (Json& cell : TableCells(kind, Parse(object), now)) cells.Append(std::move(cell));
  EXPECT_EQ(cells.size(), TableColumns(kind).size());
  return WriteJson(cells);
}

TEST(JsonPath, MembersIndicesAndFilters) {
  const Json object = Parse(R"({"spec":{"a":"x","n":3,"l":[{"k":"p","v":true},{"k":"q"}]},
    "metadata":{"labels":{"a.b/c":"dotted"}}})");
  EXPECT_EQ(JsonPathText(object, ".spec.a"), "x");
  EXPECT_EQ(JsonPathText(object, "{.spec.n}"), "3");
  EXPECT_EQ(JsonPathText(object, ".spec.l[1].k"), "q");
  EXPECT_EQ(JsonPathText(object, ".spec.l[*].k"), "p,q");
  EXPECT_EQ(JsonPathText(object, ".spec.l[?(@.k=='p')].v"), "true");
  EXPECT_EQ(JsonPathText(object, ".metadata.labels['a.b/c']"), "dotted");
  EXPECT_EQ(JsonPathText(object, ".spec.nothing.here"), "");
  for (const char* bad : {".spec.l[", ".spec.l[x]", ".spec.l[?]", "[[", "..", "]", "{"}) {
    JsonPathText(object, bad);  // nothing to expect: bad paths do no harm
  }
}

// spec/api.md §1.1: the columns of a Workload.
TEST(Columns, OfAWorkload) {
  const auto columns = TableColumns(KindOf<Workload>());
  ASSERT_EQ(columns.size(), 6u);
  EXPECT_EQ(columns[0].name, "Name");
  EXPECT_EQ(columns[0].format, "name");
  EXPECT_EQ(columns[2].name, "Reserved in");
  EXPECT_EQ(Cells(KindOf<Workload>(), R"({"metadata":{"name":"w",
    "creationTimestamp":"2026-01-01T00:58:00Z"},"spec":{"queueName":"lq"},"status":{
    "admission":{"clusterQueue":"cq"},"conditions":[{"type":"Admitted","status":"True"}]}})"),
            R"(["w","lq","cq","True",null,"2m"])");
}

TEST(Columns, WithoutAnyThereIsAnAge) {
  EXPECT_EQ(Cells(KindOf<Cohort>(), R"({"metadata":{"name":"c",
    "creationTimestamp":"2026-01-01T00:59:50Z"}})"),
            R"(["c","10s"])");
}

TEST(Columns, NumbersStayNumbers) {
  EXPECT_EQ(Cells(KindOf<ClusterQueue>(), R"({"metadata":{"name":"q"},
    "spec":{"queueingStrategy":"StrictFIFO"},"status":{"pendingWorkloads":3}})"),
            R"(["q",null,"StrictFIFO",3,null])");
}

TEST(Columns, OfPods) {
  const auto pod = [](std::string_view status) {
    return Cells(KindOf<Pod>(),
                 R"({"metadata":{"name":"p","creationTimestamp":"2026-01-01T00:00:00Z"},
      "spec":{"nodeName":"n","containers":[{"name":"c"}]},"status":)" +
                     std::string(status) + "}");
  };
  EXPECT_EQ(pod(R"({"phase":"Pending"})"),
            R"(["p","0/1","Pending","0","60m","<none>","n","<none>","<none>"])");
  EXPECT_EQ(pod(R"({"phase":"Running","podIP":"10.0.0.1","containerStatuses":[{"name":"c",
    "ready":true,"restartCount":2,"state":{"running":{}},
    "lastState":{"terminated":{"finishedAt":"2026-01-01T00:55:00Z"}}}]})"),
            R"x(["p","1/1","Running","2 (5m ago)","60m","10.0.0.1","n","<none>","<none>"])x");
  EXPECT_EQ(pod(R"({"phase":"Succeeded","containerStatuses":[{"name":"c",
    "state":{"terminated":{"exitCode":0,"reason":"Completed"}}}]})"),
            R"(["p","0/1","Completed","0","60m","<none>","n","<none>","<none>"])");
  EXPECT_EQ(pod(R"({"phase":"Failed","containerStatuses":[{"name":"c",
    "state":{"terminated":{"exitCode":3}}}]})"),
            R"(["p","0/1","ExitCode:3","0","60m","<none>","n","<none>","<none>"])");
}

TEST(Columns, OfInitializingAndDeletedPods) {
  EXPECT_EQ(Cells(KindOf<Pod>(), R"({"metadata":{"name":"p"},"spec":{"containers":[{"name":"c"}],
    "initContainers":[{"name":"i"},{"name":"k"}]},"status":{"phase":"Pending",
    "initContainerStatuses":[{"name":"i","state":{"terminated":{"exitCode":0}}},
    {"name":"k","state":{"running":{}}}]}})"),
            R"(["p","0/1","Init:1/2","0","<unknown>","<none>","<none>","<none>","<none>"])");
  EXPECT_EQ(Cells(KindOf<Pod>(), R"({"metadata":{"name":"p",
    "deletionTimestamp":"2026-01-01T00:00:00Z"},"status":{"phase":"Running"}})"),
            R"(["p","0/0","Terminating","0","<unknown>","<none>","<none>","<none>","<none>"])");
}

TEST(Columns, OfJobs) {
  EXPECT_EQ(Cells(KindOf<Job>(), R"({"metadata":{"name":"j",
    "creationTimestamp":"2026-01-01T00:00:00Z"},"spec":{"completions":4,"parallelism":2,
    "selector":{"matchLabels":{"b":"2","a":"1"}},
    "template":{"spec":{"containers":[{"name":"c","image":"i"},{"name":"d","image":"k"}]}}},
    "status":{"succeeded":4,"startTime":"2026-01-01T00:00:00Z",
    "completionTime":"2026-01-01T00:01:30Z","conditions":[{"type":"Complete","status":"True"}]}})"),
            R"(["j","Complete","4/4","90s","60m","c,d","i,k","a=1,b=2"])");
  EXPECT_EQ(Cells(KindOf<Job>(), R"({"metadata":{"name":"j"},"spec":{"parallelism":3,
    "suspend":true},"status":{"conditions":[{"type":"Suspended","status":"True"}]}})"),
            R"(["j","Suspended","0/1 of 3","","<unknown>","","","<none>"])");
}

TEST(Columns, OfNodes) {
  EXPECT_EQ(Cells(KindOf<Node>(), R"({"metadata":{"name":"n","labels":{
    "node-role.kubernetes.io/worker":"","kubernetes.io/role":"gpu"}},
    "spec":{"unschedulable":true},"status":{"conditions":[{"type":"Ready","status":"False"}],
    "nodeInfo":{"kubeletVersion":"v1"},"addresses":[{"type":"InternalIP","address":"10.1"}]}})"),
            R"(["n","NotReady,SchedulingDisabled","gpu,worker","<unknown>","v1","10.1","<none>",)"
            R"("<unknown>","<unknown>","<unknown>"])");
}

// The name of an event is its last column, shown only when asked for.
TEST(Columns, OfEvents) {
  EXPECT_EQ(TableColumns(KindOf<Event>()).back().format, "name");
  EXPECT_EQ(Cells(KindOf<Event>(), R"({"metadata":{"name":"e"},"type":"Normal","reason":"Admitted",
    "message":" text\n","involvedObject":{"kind":"Workload","name":"w"},"count":2,
    "source":{"component":"kueue"},"firstTimestamp":"2026-01-01T00:00:00Z",
    "lastTimestamp":"2026-01-01T00:59:00Z"})"),
            R"(["60s","Normal","Admitted","workload/w","","kueue","text","60m",2,"e"])");
}

}  // namespace
}  // namespace kueue::api
