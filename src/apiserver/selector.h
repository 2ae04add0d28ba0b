#pragma once

#include <string>
#include <vector>

#include "api/match/selector.h"
#include "api/schema/kind.h"
#include "api/types/json.h"
#include "apiserver/api_error.h"

// labelSelector and fieldSelector of lists and watches, applied to untyped objects.
namespace kueue::apiserver {

class Selector {
 public:
  // Refused (400) if malformed or if a field is named that the kind cannot be selected by.
  static Outcome<Selector> Parse(const api::KindInfo& kind, const std::string& labels,
                                 const std::string& fields);
  bool empty() const { return labels_.empty() && fields_.empty(); }
  bool Matches(const api::Json& object) const;
  // Adds metadata.name=`name`.
  void RequireName(const std::string& name);
  // The name an object must have to match, or "" if several may.
  std::string OnlyName() const;

 private:
  const api::KindInfo* kind_ = nullptr;
  api::LabelQuery labels_;
  std::vector<api::FieldRequirement> fields_;
};

}  // namespace kueue::apiserver
