#include "apiserver/policy_review.h"

#include "api/schema/conversion.h"
#include "apiserver/policy_match.h"

namespace kueue::apiserver {

using api::Json;

namespace {

Json KindJson(const api::KindInfo& kind) {
  Json json = Json::MakeObject();
  json.Set("group", kind.group);
  json.Set("version", kind.version);
  json.Set("kind", kind.kind);
  return json;
}

Json ResourceJson(const api::KindInfo& kind) {
  Json json = Json::MakeObject();
  json.Set("group", kind.group);
  json.Set("version", kind.version);
  json.Set("resource", kind.plural);
  return json;
}

Json UserJson(const User* user) {
  Json json = Json::MakeObject();
  if (user == nullptr) return json;
  json.Set("username", user->name);
  if (!user->uid.empty()) json.Set("uid", user->uid);
  Json groups = Json::MakeArray();
  for (const std::string& group : user->groups) groups.Append(group);
  if (groups.size() > 0) json.Set("groups", std::move(groups));
  if (user->extra.empty()) return json;
  Json extra = Json::MakeObject();
  for (const auto& [key, values] : user->extra) {
    Json list = Json::MakeArray();
    for (const std::string& value : values) list.Append(value);
    extra.Set(key, std::move(list));
  }
  json.Set("extra", std::move(extra));
  return json;
}

Json OptionsJson(const AdmissionRequest& request) {
  if (request.options.IsObject()) return request.options;
  Json json = Json::MakeObject();
  json.Set("kind", request.operation == Operation::kCreate   ? "CreateOptions"
                   : request.operation == Operation::kUpdate ? "UpdateOptions"
                                                             : "DeleteOptions");
  json.Set("apiVersion", "meta.k8s.io/v1");
  if (request.dry_run) {
    Json all = Json::MakeArray();
    all.Append("All");
    json.Set("dryRun", std::move(all));
  }
  return json;
}

// What is empty is not there.
void SetText(Json& json, const char* member, const std::string& text) {
  if (!text.empty()) json.Set(member, text);
}

Json RequestJson(const AdmissionRequest& request, const api::KindInfo& asked,
                 const api::KindInfo& seen) {
  Json json = Json::MakeObject();
  json.Set("kind", KindJson(request.shown_as != nullptr ? *request.shown_as : seen));
  json.Set("resource", ResourceJson(seen));
  SetText(json, "subResource", request.subresource);
  json.Set("requestKind", KindJson(request.shown_as != nullptr ? *request.shown_as : asked));
  json.Set("requestResource", ResourceJson(asked));
  SetText(json, "requestSubResource", request.subresource);
  if (!request.nameless) SetText(json, "name", request.name);
  SetText(json, "namespace", NamespaceOf(request));
  json.Set("operation", NameOf(request.operation));
  json.Set("userInfo", UserJson(request.user));
  json.Set("dryRun", request.dry_run);
  json.Set("options", OptionsJson(request));
  return json;
}

}  // namespace

cel::AccessAnswer AccessAnswers::Judge(const cel::AccessQuestion& question) const {
  AccessAttributes access;
  access.verb = question.verb;
  access.path = question.path;
  access.group = question.group;
  access.resource = question.resource;
  access.subresource = question.subresource;
  access.namespace_name = question.namespace_name;
  access.name = question.name;
  if (!question.account_name.empty()) {
    const std::string& of = question.account_namespace;
    const User account{
        "system:serviceaccount:" + of + ":" + question.account_name,
        "",
        {"system:serviceaccounts", "system:serviceaccounts:" + of, kAuthenticatedGroup}};
    return {authorizer_.Allows(account, access), ""};
  }
  return {user_ != nullptr && authorizer_.Allows(*user_, access), ""};
}

PolicyReview::PolicyReview(const AdmissionRequest& request, const api::KindInfo& seen,
                           const Store& store) {
  const api::KindInfo& asked = request.requested != nullptr ? *request.requested : *request.kind;
  object_ = ShowIn(request, seen, request.object, object_copy_);
  old_object_ = ShowIn(request, seen, request.old_object, old_copy_);
  request_ = RequestJson(request, asked, seen);
  if (!request.namespace_name.empty() && !IsNamespace(*request.kind)) {
    namespace_ = store.Get(api::KindOf<api::Namespace>(), request.namespace_name);
  }
  about_request_.group = asked.group;
  about_request_.resource = asked.plural;
  about_request_.subresource = request.subresource;
  about_request_.namespace_name = NamespaceOf(request);
  about_request_.name = request.name;
}

const Json* PolicyReview::ShowIn(const AdmissionRequest& request, const api::KindInfo& seen,
                                 const Json* object, Json& copy) {
  if (object == nullptr || seen.stored == nullptr || request.shown_as != nullptr) return object;
  copy = *object;
  const auto errors = api::FromStored(seen, copy);
  if (errors.empty() && !seen.custom_resource) api::ApplyDefaults(seen, copy);
  if (!errors.empty()) problem_ = api::JoinFieldErrors(errors);
  return &copy;
}

PolicyInput PolicyReview::Input(const cel::AccessJudge& judge, const Json* params) const {
  PolicyInput input;
  input.object = object_;
  input.old_object = old_object_;
  input.request = &request_;
  input.namespace_object = namespace_ == nullptr ? nullptr : &namespace_->object();
  input.params = params;
  input.judge = &judge;
  input.about_request = about_request_;
  return input;
}

const api::KindInfo* FindParamKind(const KindRegistry& kinds, const Json& param_kind) {
  const std::string version = param_kind.StringAt({"apiVersion"});
  const size_t slash = version.find('/');
  const std::string group = slash == std::string::npos ? "" : version.substr(0, slash);
  return kinds.FindKind(group, slash == std::string::npos ? version : version.substr(slash + 1),
                        param_kind.StringAt({"kind"}));
}

}  // namespace kueue::apiserver
