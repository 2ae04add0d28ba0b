#include "api/match/device_selector.h"

#include <map>
#include <utility>
#include <vector>

#include "base/check.h"
#include "cel/program.h"

namespace kueue::api {
namespace {

using cel::Type;
using cel::TypeRef;
using cel::Value;

using Names = std::vector<std::pair<std::string, Value>>;  // of one domain
using Domains = std::vector<std::pair<std::string, Names>>;

// What a value of a library's kind is made of: the expression language makes it.
Value MakeBy(const char* expression, const std::string& text) {
  static const cel::Environment* const environment = [] {
    auto* made = new cel::Environment();
    made->AddVariable("text", Type::Simple(Type::Kind::kString));
    return made;
  }();
  const auto program = cel::Compile(expression, *environment);
  KUEUE_CHECK(program.ok());
  cel::Activation activation(*environment);
  activation.Set(0, Value::String(text));
  cel::CostBudget budget;
  const auto value = program->Evaluate(activation, &budget);
  return value.ok() ? *value : Value::Error(value.error().message);
}

Value ValueOf(const DeviceAttribute& attribute) {
  if (attribute.number) return Value::Int(*attribute.number);
  if (attribute.flag) return Value::Bool(*attribute.flag);
  if (attribute.text) return Value::String(*attribute.text);
  if (attribute.version) return MakeBy("semver(text)", *attribute.version);
  return Value::Error("an attribute of a sort that is not known");
}

Names& DomainIn(Domains& domains, const std::string& name) {
  for (auto& [known, names] : domains) {
    if (known == name) return names;
  }
  return domains.emplace_back(name, Names()).second;
}

// "dra.example.com/memory" is `memory` of domain dra.example.com.
void AddNamed(Domains& domains, const std::string& driver, const std::string& name, Value value) {
  const size_t slash = name.find('/');
  const bool qualified = slash != std::string::npos;
  DomainIn(domains, qualified ? name.substr(0, slash) : driver)
      .emplace_back(qualified ? name.substr(slash + 1) : name, std::move(value));
}

template <class Container>
const auto* FindIn(const Container& container, std::string_view key) {
  for (const auto& [name, value] : container) {
    if (name == key) return &value;
  }
  return static_cast<decltype(&container.front().second)>(nullptr);
}

class NamesTree final : public cel::Tree {
 public:
  size_t Size(const void* node) const override { return At(node).size(); }
  Value Element(const void*, size_t) const override { return {}; }
  Value Find(const void* node, std::string_view key) const override {
    const Value* found = FindIn(At(node), key);
    return found == nullptr ? Value() : *found;
  }
  std::pair<std::string_view, Value> Entry(const void* node, size_t i) const override {
    return {At(node)[i].first, At(node)[i].second};
  }

 private:
  static const Names& At(const void* node) { return *static_cast<const Names*>(node); }
};
const NamesTree kNamesTree;

// A domain that the device says nothing of is an empty one.
class DomainsTree final : public cel::Tree {
 public:
  size_t Size(const void* node) const override { return At(node).size(); }
  Value Element(const void*, size_t) const override { return {}; }
  Value Find(const void* node, std::string_view key) const override {
    static const Names none;
    const Names* found = FindIn(At(node), key);
    return Value::TreeMap(&kNamesTree, found == nullptr ? &none : found);
  }
  std::pair<std::string_view, Value> Entry(const void* node, size_t i) const override {
    return {At(node)[i].first, Value::TreeMap(&kNamesTree, &At(node)[i].second)};
  }

 private:
  static const Domains& At(const void* node) { return *static_cast<const Domains*>(node); }
};
const DomainsTree kDomainsTree;

TypeRef DeviceType() {
  static const TypeRef type = [] {
    const TypeRef text = Type::Simple(Type::Kind::kString);
    const auto by_domain = [&](TypeRef of) { return Type::Map(text, Type::Map(text, of)); };
    return Type::PlainObject("kubernetes.DRADevice",
                             {{"driver", text},
                              {"attributes", by_domain(Type::Dyn())},
                              {"capacity", by_domain(Type::Opaque("kubernetes.Quantity"))}});
  }();
  return type;
}

const cel::Environment& DeviceEnvironment() {
  static const cel::Environment* const environment = [] {
    auto* made = new cel::Environment();
    made->AddVariable("device", DeviceType());
    cel::Extras extras;
    extras.bindings = true;
    made->AllowExtras(extras);
    return made;
  }();
  return *environment;
}

// A device in a form that trees can look into.
struct DeviceView {
  std::string driver;
  Domains attributes, capacity;
};

class DeviceTree final : public cel::Tree {
 public:
  size_t Size(const void*) const override { return 3; }
  Value Element(const void*, size_t) const override { return {}; }
  Value Find(const void* node, std::string_view key) const override {
    for (size_t i = 0; i < 3; ++i) {
      auto [name, value] = Entry(node, i);
      if (name == key) return value;
    }
    return {};
  }
  std::pair<std::string_view, Value> Entry(const void* node, size_t i) const override {
    const auto& view = *static_cast<const DeviceView*>(node);
    switch (i) {
      case 0:
        return {"driver", Value::BorrowedString(view.driver)};
      case 1:
        return {"attributes", Value::TreeMap(&kDomainsTree, &view.attributes)};
      default:
        return {"capacity", Value::TreeMap(&kDomainsTree, &view.capacity)};
    }
  }
};
const DeviceTree kDeviceTree;

}  // namespace

struct SelectableDevice::Content {
  DeviceView view;
};

SelectableDevice::SelectableDevice(const std::string& driver, const Device& device)
    : content_(std::make_unique<Content>()) {
  DeviceView& view = content_->view;
  view.driver = driver;
  for (const auto& [name, attribute] : device.attributes) {
    AddNamed(view.attributes, driver, name, ValueOf(attribute));
  }
  for (const auto& [name, capacity] : device.capacity) {
    AddNamed(view.capacity, driver, name, MakeBy("quantity(text)", capacity.value.ToString()));
  }
}
SelectableDevice::SelectableDevice(SelectableDevice&&) noexcept = default;
SelectableDevice& SelectableDevice::operator=(SelectableDevice&&) noexcept = default;
SelectableDevice::~SelectableDevice() = default;

struct DeviceSelector::Compiled {
  cel::Program program;
};

DeviceSelector::DeviceSelector(std::unique_ptr<Compiled> compiled)
    : compiled_(std::move(compiled)) {}
DeviceSelector::DeviceSelector(DeviceSelector&&) noexcept = default;
DeviceSelector& DeviceSelector::operator=(DeviceSelector&&) noexcept = default;
DeviceSelector::~DeviceSelector() = default;

base::Result<DeviceSelector> DeviceSelector::Compile(std::string_view text) {
  auto program = cel::Compile(text, DeviceEnvironment());
  if (!program.ok()) return program.error();
  const Type::Kind kind = program->result_type().kind();
  if (kind != Type::Kind::kBool && kind != Type::Kind::kDyn) {
    return base::Invalid("must give a bool, and gives " + program->result_type().ToString());
  }
  return DeviceSelector(std::make_unique<Compiled>(Compiled{std::move(*program)}));
}

base::Result<bool> DeviceSelector::Matches(const SelectableDevice& device) const {
  cel::Activation activation(DeviceEnvironment());
  activation.Set(0, Value::TreeMap(&kDeviceTree, &device.content_->view));
  cel::CostBudget budget{cel::kCallCostLimit};
  const auto value = compiled_->program.Evaluate(activation, &budget);
  if (!value.ok()) return value.error();
  if (!value->is(Value::Kind::kBool)) return base::Invalid("did not give a bool");
  return value->AsBool();
}

}  // namespace kueue::api
