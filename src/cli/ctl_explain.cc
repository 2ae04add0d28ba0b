#include "cli/ctl_explain.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <memory>

#include "base/clock.h"
#include "cli/explanation_text.h"
#include "scheduling/explanation.h"

namespace kueue::cli {
namespace {

int Fail(const std::string& message) {
  fmt::print(stderr, "kueue ctl explain: {}\n", message);
  return 1;
}

bool SameKind(const std::string& asked, const std::string& kind) {
  const auto same = [](char a, char b) {
    return std::tolower(static_cast<unsigned char>(a)) ==
           std::tolower(static_cast<unsigned char>(b));
  };
  const std::string_view one(asked);
  const auto equal = [&](std::string_view text) {
    return std::equal(text.begin(), text.end(), kind.begin(), kind.end(), same);
  };
  return equal(one) || (!one.empty() && one.back() == 's' && equal(one.substr(0, one.size() - 1)));
}

// `kind` "": the workload of that name, else one that an object of the kind and name owns; the
// newest, if a job had several.
std::shared_ptr<const api::Workload> Find(const ClusterView& view, const std::string& space,
                                          const std::string& kind, const std::string& name) {
  std::shared_ptr<const api::Workload> found;
  for (const auto& workload : view.workloads) {
    const api::ObjectMeta& meta = workload->metadata;
    if (meta.namespace_name != space) continue;
    const bool owned = std::any_of(
        meta.owner_references.begin(), meta.owner_references.end(),
        [&](const auto& owner) { return owner.name == name && SameKind(kind, owner.kind); });
    const bool named = (kind.empty() || SameKind(kind, "Workload")) && meta.name == name;
    if (!owned && !named) continue;
    if (!found || found->metadata.creation_timestamp < meta.creation_timestamp) found = workload;
  }
  return found;
}

}  // namespace

int CtlExplain(const CtlExplainFlags& flags) {
  const size_t slash = flags.subject.find('/');
  const std::string kind = slash == std::string::npos ? "" : flags.subject.substr(0, slash);
  const std::string name =
      slash == std::string::npos ? flags.subject : flags.subject.substr(slash + 1);
  if (name.empty() || name.find('/') != std::string::npos || (slash == 0)) {
    return Fail("wants a workload's name or KIND/NAME of its job, got '" + flags.subject + "'");
  }
  auto view = ReadCluster(flags.cluster);
  if (!view.ok()) return Fail(view.error().message);
  const std::string space =
      flags.namespace_name.empty() ? view->namespace_name : flags.namespace_name;
  const auto workload = Find(*view, space, kind, name);
  if (!workload) {
    return Fail(fmt::format(
        "namespace '{}' has no workload {} '{}'; `kubectl get workloads -n {}` lists them", space,
        kind.empty() ? "named" : "of " + kind, name, space));
  }
  const auto why = scheduling::Explain(view->state, space + "/" + workload->metadata.name,
                                       base::RealClock().Now());
  fmt::print("{}", ExplanationText(*workload, why));
  return 0;
}

}  // namespace kueue::cli
