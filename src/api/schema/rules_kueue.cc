#include "api/schema/rules_kueue.h"

namespace kueue::api {
namespace {

// What the rules about a reserved workload begin with.
#define KUEUE_RESERVED(object)                                             \
  "has(" object ".status) && has(" object ".status.conditions) && " object \
  ".status.conditions.exists(c, c.type == 'QuotaReserved' && c.status == 'True')"
#define KUEUE_ADMITTED(object)                                             \
  "has(" object ".status) && has(" object ".status.conditions) && " object \
  ".status.conditions.exists(c, c.type == 'Admitted' && c.status == 'True')"
#define KUEUE_HAS(object, member) "(has(" object ".spec) && has(" object ".spec." member "))"

constexpr CelRule kAssignsAll = {
    "!(" KUEUE_RESERVED("self") " && has(self.status.admission)) || "
    "(has(self.spec) && has(self.spec.podSets) && "
    "has(self.status.admission.podSetAssignments) && "
    "size(self.spec.podSets) == size(self.status.admission.podSetAssignments))",
    "status.admission must assign every pod set of spec"};

constexpr CelRule kQueueNameStays = {
    "!(" KUEUE_RESERVED("oldSelf") " && " KUEUE_RESERVED("self") ") || "
    "(" KUEUE_HAS("oldSelf", "queueName") " == " KUEUE_HAS("self", "queueName") " && "
    "(!" KUEUE_HAS("self", "queueName") " || self.spec.queueName == oldSelf.spec.queueName))",
    "spec.queueName may not be changed while quota is reserved"};

constexpr CelRule kExecutionTimeStays = {
    "!(" KUEUE_ADMITTED("oldSelf") " && " KUEUE_ADMITTED("self") ") || "
    "(" KUEUE_HAS("oldSelf", "maximumExecutionTimeSeconds")
    " ? oldSelf.spec.maximumExecutionTimeSeconds : 0) == "
    "(" KUEUE_HAS("self", "maximumExecutionTimeSeconds")
    " ? self.spec.maximumExecutionTimeSeconds : 0)",
    "spec.maximumExecutionTimeSeconds may not be changed while admitted"};

constexpr CelRule kRefStays[] = {
    {"!(" KUEUE_RESERVED("oldSelf") ") || " KUEUE_HAS(
         "oldSelf", "priorityClassRef") " == " KUEUE_HAS("self", "priorityClassRef"),
     "spec.priorityClassRef may not come or go while quota is reserved"},
    {"!(" KUEUE_RESERVED("oldSelf") " && " KUEUE_HAS(
         "oldSelf",
         "priorityClassRef") " && " KUEUE_HAS("self",
                                              "priorityClassRef") ") || "
                                                                  "oldSelf.spec.priorityClassRef."
                                                                  "group == "
                                                                  "self.spec.priorityClassRef."
                                                                  "group",
     "spec.priorityClassRef.group may not be changed while quota is reserved"},
    {"!(" KUEUE_RESERVED("oldSelf") " && " KUEUE_HAS(
         "oldSelf",
         "priorityClassRef") " && " KUEUE_HAS("self",
                                              "priorityClassRef") ") || "
                                                                  "oldSelf.spec.priorityClassRef."
                                                                  "kind == "
                                                                  "self.spec.priorityClassRef.kind",
     "spec.priorityClassRef.kind may not be changed while quota is reserved"},
    {"!(" KUEUE_RESERVED("oldSelf") " && " KUEUE_HAS(
         "oldSelf",
         "priorityClassRef") " && " KUEUE_HAS("self",
                                              "priorityClassRef") " && "
                                                                  "self.spec.priorityClassRef."
                                                                  "group == 'scheduling.k8s.io' && "
                                                                  "self.spec.priorityClassRef.kind "
                                                                  "== 'PriorityClass') || "
                                                                  "oldSelf.spec.priorityClassRef."
                                                                  "name == "
                                                                  "self.spec.priorityClassRef.name",
     "a PriorityClass may not be changed while quota is reserved"},
};

constexpr CelRule kSourceStays[] =
    {
        {"!(" KUEUE_RESERVED("oldSelf") " && " KUEUE_HAS(
             "oldSelf",
             "priorityClassSource") " && " KUEUE_HAS("self",
                                                     "priorityClassSource") ") || "
                                                                            "oldSelf.spec."
                                                                            "priorityClassSource "
                                                                            "== "
                                                                            "self.spec."
                                                                            "priorityClassSource",
         "spec.priorityClassSource may not be changed while quota is reserved"},
        {"!(" KUEUE_RESERVED("oldSelf") " && " KUEUE_HAS(
             "oldSelf",
             "priorityClassName") " && " KUEUE_HAS("self",
                                                   "priorityClassName") " && " KUEUE_HAS("self",
                                                                                         "priorityC"
                                                                                         "lassSourc"
                                                                                         "e") " && "
                                                                                              "self"
                                                                                              ".spe"
                                                                                              "c."
                                                                                              "prio"
                                                                                              "rity"
                                                                                              "Clas"
                                                                                              "sSou"
                                                                                              "rce "
                                                                                              "!= "
                                                                                              "'kue"
                                                                                              "ue."
                                                                                              "x-"
                                                                                              "k8s."
                                                                                              "io/"
                                                                                              "work"
                                                                                              "load"
                                                                                              "prio"
                                                                                              "rity"
                                                                                              "clas"
                                                                                              "s') "
                                                                                              "|| "
                                                                                              "oldS"
                                                                                              "elf."
                                                                                              "spec"
                                                                                              ".pri"
                                                                                              "orit"
                                                                                              "yCla"
                                                                                              "ssNa"
                                                                                              "me "
                                                                                              "== "
                                                                                              "self"
                                                                                              ".spe"
                                                                                              "c."
                                                                                              "prio"
                                                                                              "rity"
                                                                                              "Clas"
                                                                                              "sNam"
                                                                                              "e",
         "spec.priorityClassName may not be changed while quota is reserved"},
};

#undef KUEUE_RESERVED
#undef KUEUE_ADMITTED
#undef KUEUE_HAS

}  // namespace

void AddTolerationRules(const FieldSetter& tolerations) {
  tolerations
      .Rule("self.all(x, !has(x.key) ? x.operator == 'Exists' : true)",
            "without a key the operator must be Exists")
      .Rule("self.all(x, has(x.tolerationSeconds) ? x.effect == 'NoExecute' : true)",
            "tolerationSeconds needs the effect NoExecute")
      .Rule("self.all(x, !has(x.operator) || x.operator in ['Equal', 'Exists'])",
            "an operator must be Equal or Exists")
      .Rule("self.all(x, has(x.operator) && x.operator == 'Exists' ? !has(x.value) : true)",
            "with operator Exists there is no value")
      .Rule(
          "self.all(x, !has(x.effect) || "
          "x.effect in ['NoSchedule', 'PreferNoSchedule', 'NoExecute'])",
          "an effect must be NoSchedule, PreferNoSchedule or NoExecute");
}

void AddClusterNameRules(TableBuilder& status) {
  status.Rule(
      "!has(oldSelf.clusterName) || !has(self.clusterName) || "
      "oldSelf.clusterName == self.clusterName",
      "clusterName may not be changed once set");
  status.Rule(
      "!has(self.clusterName) || !has(self.nominatedClusterNames) || "
      "size(self.nominatedClusterNames) == 0",
      "clusterName and nominatedClusterNames exclude each other");
}

void AddWorkloadRules(TableBuilder& workload) {
  workload.Rule(kAssignsAll.rule, kAssignsAll.message);
  for (const CelRule& rule : kRefStays) workload.Rule(rule.rule, rule.message);
  workload.Rule(kQueueNameStays.rule, kQueueNameStays.message);
  workload.Rule(kExecutionTimeStays.rule, kExecutionTimeStays.message);
}

std::vector<CelRule> WorkloadRulesV1beta1() {
  return {kAssignsAll, kSourceStays[0], kSourceStays[1], kQueueNameStays, kExecutionTimeStays};
}

}  // namespace kueue::api
