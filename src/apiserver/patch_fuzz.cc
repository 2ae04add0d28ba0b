#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>

#include "api/merge/managed_fields.h"
#include "apiserver/server_under_test.h"
#include "base/check.h"

// Patches of all sorts, by the bytes: whatever comes in is answered, and what is stored can be read
// again, its owners included.
namespace kueue::apiserver {
namespace {

struct Target {
  const char* collection;
  const char* name;
  const char* object;
};
constexpr Target kTargets[] = {
    {"/api/v1/namespaces/default/configmaps", "a",
     R"({"metadata":{"name":"a","labels":{"x":"1"}},"data":{"k":"v"}})"},
    {"/apis/apps/v1/namespaces/default/deployments", "a",
     R"({"metadata":{"name":"a"},"spec":{"selector":{"matchLabels":{"a":"b"}},"template":{
         "metadata":{"labels":{"a":"b"}},"spec":{"containers":[{"name":"c","image":"i","env":[
         {"name":"A","value":"1"}],"ports":[{"containerPort":80}]}]}}}})"},
    {"/apis/kueue.x-k8s.io/v1beta2/namespaces/default/workloads", "a",
     R"({"apiVersion":"kueue.x-k8s.io/v1beta2","kind":"Workload","metadata":{"name":"a"},
         "spec":{"queueName":"q","podSets":[{"name":"main","count":1,"template":{"spec":{
         "containers":[{"name":"c","image":"i"}]}}}]}})"},
};
constexpr const char* kTypes[] = {"application/json-patch+json", "application/merge-patch+json",
                                  "application/strategic-merge-patch+json",
                                  "application/apply-patch+yaml"};
constexpr const char* kWays[] = {"?fieldManager=one", "?fieldManager=two&force=true",
                                 "/status?fieldManager=one", "?fieldManager=two"};

void Play(uint8_t choice, std::string_view text) {
  static ServerUnderTest& t = *new ServerUnderTest;
  const Target& target = kTargets[choice % std::size(kTargets)];
  const std::string object = std::string(target.collection) + "/" + target.name;
  t.Ask("DELETE", object);
  t.Post(target.collection, target.object);
  const bool apply = (choice >> 2) % 4 == 3;
  const size_t second = text.find('\n');
  for (const std::string_view body :
       {text.substr(0, second), second == text.npos ? text : text.substr(second + 1)}) {
    std::string way = kWays[(choice >> 4) % 4];
    if (!apply && way.find("force") != way.npos) way = "";
    const auto reply = t.Ask("PATCH", object + way, std::string(body),
                             {{"Content-Type", kTypes[(choice >> 2) % 4]}});
    KUEUE_CHECK(reply->code >= 200 && reply->code < 600);
    const auto read = t.Get(object);
    KUEUE_CHECK(read->code == 200 || read->code == 404);
    if (read->code == 404) return;
    const api::Json stored = read->Json();
    KUEUE_CHECK(stored.IsObject());
    KUEUE_CHECK(api::DecodeManagedFields(stored.FindPath({"metadata", "managedFields"})).ok());
  }
}

}  // namespace
}  // namespace kueue::apiserver

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size < 2) return 0;
  kueue::apiserver::Play(data[0], {reinterpret_cast<const char*>(data) + 1, size - 1});  // NOLINT
  return 0;
}
