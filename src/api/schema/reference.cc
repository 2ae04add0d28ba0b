#include "api/schema/reference.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <set>
#include <utility>

#include "api/schema/configuration.h"
#include "api/schema/kind.h"
#include "api/schema/kinds_kueue.h"

namespace kueue::api {
namespace {

constexpr char kGenerated[] =
    "<!-- Written by ./dev docs from the tables in src/api/schema. Not edited by hand. -->\n";

struct Meaning {
  std::string_view kind, sentence;
};
constexpr Meaning kMeanings[] = {
    {"AdmissionCheck", "Something else that has to agree before a workload is admitted."},
    {"ClusterQueue", "A pool of quota: which resources of which flavors its workloads may use."},
    {"Cohort", "Queues and other cohorts that lend their unused quota to each other."},
    {"Configuration", "What the manager reads when it starts."},
    {"LocalQueue", "The door of a namespace to a ClusterQueue."},
    {"MultiKueueCluster", "A cluster that workloads can be sent to."},
    {"MultiKueueConfig", "The clusters an admission check sends workloads to."},
    {"ProvisioningRequestConfig", "How an admission check asks for new nodes."},
    {"ResourceFlavor", "A sort of nodes: their labels, taints and topology."},
    {"Topology", "How nodes are grouped, from the widest level to the single node."},
    {"Workload", "What waits for quota: the pods of one job, what they need, how far they are."},
    {"WorkloadPriorityClass", "A priority that counts for queueing and not for pods."},
};

std::string_view MeaningOf(std::string_view kind) {
  for (const Meaning& meaning : kMeanings) {
    if (meaning.kind == kind) return meaning.sentence;
  }
  return "";
}

// A cell of a table: no line ends, no bars.
std::string Cell(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '|') out += '\\';
    out += c == '\n' ? ' ' : c;
  }
  return out;
}

std::string Code(std::string_view text) { return text.empty() ? "" : fmt::format("`{}`", text); }

std::string Anchor(std::string_view name) {
  std::string out(name);
  std::transform(out.begin(), out.end(), out.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return out;
}

std::string TypeText(const ValueOps& ops) {
  switch (ops.kind) {
    case FieldKind::kBool:
      return "true or false";
    case FieldKind::kInt32:
    case FieldKind::kInt64:
      return "integer";
    case FieldKind::kNumber:
      return "number";
    case FieldKind::kString:
      return "text";
    case FieldKind::kBytes:
      return "base 64 text";
    case FieldKind::kQuantity:
      return "quantity";
    case FieldKind::kTime:
    case FieldKind::kMicroTime:
      return "time";
    case FieldKind::kDuration:
      return "duration";
    case FieldKind::kConditionStatus:
      return "True, False or Unknown";
    case FieldKind::kIntOrString:
      return "integer or text";
    case FieldKind::kJson:
      return "anything";
    case FieldKind::kList:
      return "list of " + TypeText(*ops.item);
    case FieldKind::kMap:
      return "map to " + TypeText(*ops.item);
    case FieldKind::kStruct:
      break;
  }
  const StructDescriptor& table = ops.Table();
  if (table.built_in) return fmt::format("{} of Kubernetes", table.name);
  return fmt::format("[{}](#{})", table.name, Anchor(table.name));
}

void AddRange(std::string& text, std::string_view what, const std::optional<int64_t>& least,
              const std::optional<int64_t>& most) {
  if (!least && !most) return;
  if (!text.empty()) text += "; ";
  if (least && most) {
    text += fmt::format("{}{} to {}", what, *least, *most);
  } else if (least) {
    text += fmt::format("{}at least {}", what, *least);
  } else {
    text += fmt::format("{}at most {}", what, *most);
  }
}

void AddPart(std::string& text, const std::string& part) {
  if (!text.empty()) text += "; ";
  text += part;
}

// What a value must be, beside its type.
std::string AllowedText(const FieldDescriptor& field, bool built_in) {
  std::string text;
  if (!built_in) {
    for (const std::string_view value : field.enum_values) {
      text += (text.empty() ? "" : ", ") + Code(value);
    }
  }
  AddRange(text, "", field.minimum, field.maximum);
  AddRange(text, "length ", field.min_length, field.max_length);
  AddRange(text, "entries ", field.min_items, field.max_items);
  AddRange(text, "entries ", std::nullopt, field.max_properties);
  AddRange(text, "each ", field.item.minimum, field.item.maximum);
  AddRange(text, "length of each ", field.item.min_length, field.item.max_length);
  if (!field.pattern.empty()) AddPart(text, Code(field.pattern));
  if (!field.item.pattern.empty()) AddPart(text, "each " + Code(field.item.pattern));
  if (field.list_type == ListType::kSet) AddPart(text, "no entry twice");
  if (field.list_type == ListType::kMap) {
    std::string keys;
    for (const std::string_view key : field.list_keys) {
      keys += (keys.empty() ? "" : ", ") + Code(key);
    }
    AddPart(text, "one entry per " + keys);
  }
  if (field.immutable) AddPart(text, "may not change");
  return text;
}

std::string RulesText(const std::vector<CelRule>& rules) {
  std::string text;
  for (const CelRule& rule : rules) text += fmt::format("- {}\n", rule.message);
  return text;
}

class PageWriter {
 public:
  // `table` and every type of ours inside it, each once, in the order they are met.
  void Add(const StructDescriptor& table) {
    if (!seen_.insert(table.name).second) return;
    text_ += fmt::format("\n## {}\n\n", table.name);
    text_ += "| field | type | default | allowed | meaning |\n|---|---|---|---|---|\n";
    std::string rules = RulesText(table.rules);
    std::vector<const StructDescriptor*> inner;
    for (const FieldDescriptor& field : table.fields) {
      AddField(field, table.built_in);
      rules += RulesText(field.rules);
      const StructDescriptor* part = field.ops->Struct();
      if (part != nullptr && !part->built_in) inner.push_back(part);
    }
    if (!rules.empty()) text_ += "\nRules:\n\n" + rules;
    for (const StructDescriptor* part : inner) Add(*part);
  }
  std::string Take() { return std::move(text_); }

 private:
  void AddField(const FieldDescriptor& field, bool built_in) {
    const std::string_view meaning =
        field.doc.empty() && field.json_name == "metadata" ? "Name, labels and so on." : field.doc;
    text_ += fmt::format("| `{}`{} | {} | {} | {} | {} |\n", field.json_name,
                         field.required ? " (required)" : "", Cell(TypeText(*field.ops)),
                         Cell(Code(field.default_json)), Cell(AllowedText(field, built_in)),
                         Cell(meaning));
  }

  std::set<std::string_view> seen_;
  std::string text_;
};

std::string PageName(std::string_view kind) { return Anchor(kind) + ".md"; }

std::string Heading(const KindInfo& kind, const std::vector<const KindInfo*>& versions) {
  std::string text = fmt::format("{}\n# {}\n\n{}\n\n", kGenerated, kind.kind, MeaningOf(kind.kind));
  text += "| | |\n|---|---|\n";
  std::string names;
  for (const KindInfo* version : versions) {
    names += (names.empty() ? "" : ", ") + Code(version->ApiVersion());
  }
  text += fmt::format("| versions | {} |\n", names);
  if (kind.plural.empty()) return text;
  text += fmt::format("| resource | `{}` |\n", kind.plural);
  std::string shorts;
  for (const std::string_view name : kind.short_names) {
    shorts += (shorts.empty() ? "" : ", ") + Code(name);
  }
  if (!shorts.empty()) text += fmt::format("| short names | {} |\n", shorts);
  text += fmt::format("| scope | {} |\n", kind.namespaced ? "namespace" : "cluster");
  std::string columns;
  for (const TableColumn& column : TableColumns(kind)) {
    columns += (columns.empty() ? "" : ", ") + column.name;
  }
  text += fmt::format("| columns of `kubectl get` | {} |\n", columns);
  return text;
}

std::vector<const KindInfo*> VersionsOf(const KindInfo& kind) {
  std::vector<const KindInfo*> versions = {&kind};
  for (const KindInfo* other : AllKinds()) {
    if (other->stored == &kind) versions.push_back(other);
  }
  return versions;
}

std::vector<const KindInfo*> DescribedKinds() {
  std::vector<const KindInfo*> kinds;
  for (const KindInfo* kind : KueueKinds()) {
    if (kind->stored == nullptr) kinds.push_back(kind);
  }
  kinds.push_back(ConfigurationKinds().front());
  return kinds;
}

std::string Index() {
  std::string text = std::string(kGenerated) +
                     "\n# Reference\n\nEvery field of the API, written from the same tables the "
                     "server checks objects with.\n\n| kind | |\n|---|---|\n";
  for (const KindInfo* kind : DescribedKinds()) {
    text +=
        fmt::format("| [{}]({}) | {} |\n", kind->kind, PageName(kind->kind), MeaningOf(kind->kind));
  }
  text +=
      "\n## Built-in kinds\n\nThe embedded server serves these as Kubernetes 1.36 does; "
      "`kubectl explain` shows their fields.\n\n| kind | version | resource | scope |\n"
      "|---|---|---|---|\n";
  for (const KindInfo* kind : AllKinds()) {
    if (kind->group == "kueue.x-k8s.io") continue;
    text += fmt::format("| {} | `{}` | `{}` | {} |\n", kind->kind, kind->ApiVersion(), kind->plural,
                        kind->namespaced ? "namespace" : "cluster");
  }
  return text;
}

void AddWithout(const StructDescriptor& table, std::set<std::string_view>& seen,
                std::vector<std::string>& missing) {
  if (table.built_in || !seen.insert(table.name).second) return;
  for (const FieldDescriptor& field : table.fields) {
    if (field.doc.empty() && field.json_name != "metadata") {
      missing.push_back(fmt::format("{}.{}", table.name, field.json_name));
    }
    if (const StructDescriptor* part = field.ops->Struct()) AddWithout(*part, seen, missing);
  }
}

}  // namespace

std::vector<ReferencePage> ReferencePages() {
  std::vector<ReferencePage> pages;
  for (const KindInfo* kind : DescribedKinds()) {
    const bool configuration = kind->plural.empty() || kind->group != "kueue.x-k8s.io";
    PageWriter writer;
    writer.Add(*kind->table);
    pages.push_back(
        {PageName(kind->kind),
         Heading(*kind, configuration ? ConfigurationKinds() : VersionsOf(*kind)) + writer.Take()});
  }
  std::sort(pages.begin(), pages.end(),
            [](const ReferencePage& a, const ReferencePage& b) { return a.name < b.name; });
  pages.insert(pages.begin(), {"README.md", Index()});
  return pages;
}

std::vector<std::string> FieldsWithoutMeaning() {
  std::set<std::string_view> seen;
  std::vector<std::string> missing;
  for (const KindInfo* kind : DescribedKinds()) AddWithout(*kind->table, seen, missing);
  return missing;
}

}  // namespace kueue::api
