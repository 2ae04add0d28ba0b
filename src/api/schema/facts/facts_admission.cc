// Written by tools/generate_tables from a Kubernetes 1.36 API server. Not edited by hand.
#include "api/schema/facts/facts.h"

namespace kueue::api::facts {
namespace {

constexpr FieldFacts kAdmissionV1AdmissionRequest[] = {
    {"dryRun", "bool", kPointer},
    {"kind", "meta.v1.GroupVersionKind", kWritten},
    {"name", "string"},
    {"namespace", "string"},
    {"object", "json", kWritten},
    {"oldObject", "json", kWritten},
    {"operation", "string", kWritten},
    {"options", "json", kWritten},
    {"requestKind", "meta.v1.GroupVersionKind", kPointer},
    {"requestResource", "meta.v1.GroupVersionResource", kPointer},
    {"requestSubResource", "string"},
    {"resource", "meta.v1.GroupVersionResource", kWritten},
    {"subResource", "string"},
    {"uid", "string", kWritten},
    {"userInfo", "authentication.v1.UserInfo", kWritten},
};
constexpr FieldFacts kAdmissionV1AdmissionResponse[] = {
    {"allowed", "bool", kWritten},
    {"auditAnnotations", "{}string"},
    {"patch", "bytes"},
    {"patchType", "string", kPointer},
    {"status", "meta.v1.Status", kPointer},
    {"uid", "string", kWritten},
    {"warnings", "[]string"},
};
constexpr FieldFacts kAdmissionV1AdmissionReview[] = {
    {"request", "admission.v1.AdmissionRequest", kPointer},
    {"response", "admission.v1.AdmissionResponse", kPointer},
};
constexpr FieldFacts kAdmissionregistrationV1ApplyConfiguration[] = {
    {"expression", "string"},
};
constexpr FieldFacts kAdmissionregistrationV1AuditAnnotation[] = {
    {"key", "string", kRequired | kWritten},
    {"valueExpression", "string", kRequired | kWritten},
};
constexpr FieldFacts kAdmissionregistrationV1ExpressionWarning[] = {
    {"fieldRef", "string", kRequired | kWritten},
    {"warning", "string", kRequired | kWritten},
};
constexpr FieldFacts kAdmissionregistrationV1JSONPatch[] = {
    {"expression", "string"},
};
constexpr FieldFacts kAdmissionregistrationV1MatchCondition[] = {
    {"expression", "string", kRequired | kWritten},
    {"name", "string", kRequired | kWritten},
};
constexpr FieldFacts kAdmissionregistrationV1MatchResources[] = {
    {"excludeResourceRules", "[]admissionregistration.v1.NamedRuleWithOperations", kAtomic},
    {"matchPolicy", "string", kPointer, "", "", "", "Equivalent|Exact"},
    {"namespaceSelector", "meta.v1.LabelSelector", kPointer},
    {"objectSelector", "meta.v1.LabelSelector", kPointer},
    {"resourceRules", "[]admissionregistration.v1.NamedRuleWithOperations", kAtomic},
};
constexpr FieldFacts kAdmissionregistrationV1MutatingAdmissionPolicy[] = {
    {"metadata", "meta.v1.ObjectMeta", kWritten},
    {"spec", "admissionregistration.v1.MutatingAdmissionPolicySpec", kWritten},
};
constexpr FieldFacts kAdmissionregistrationV1MutatingAdmissionPolicyBinding[] = {
    {"metadata", "meta.v1.ObjectMeta", kWritten},
    {"spec", "admissionregistration.v1.MutatingAdmissionPolicyBindingSpec", kWritten},
};
constexpr FieldFacts kAdmissionregistrationV1MutatingAdmissionPolicyBindingSpec[] = {
    {"matchResources", "admissionregistration.v1.MatchResources", kPointer},
    {"paramRef", "admissionregistration.v1.ParamRef", kPointer},
    {"policyName", "string"},
};
constexpr FieldFacts kAdmissionregistrationV1MutatingAdmissionPolicySpec[] = {
    {"failurePolicy", "string", kPointer, "", "", "", "Fail|Ignore"},
    {"matchConditions", "[]admissionregistration.v1.MatchCondition", kMap | kMerge, "name", "name"},
    {"matchConstraints", "admissionregistration.v1.MatchResources", kPointer},
    {"mutations", "[]admissionregistration.v1.Mutation", kAtomic},
    {"paramKind", "admissionregistration.v1.ParamKind", kPointer},
    {"reinvocationPolicy", "string", 0, "", "", "", "IfNeeded|Never"},
    {"variables", "[]admissionregistration.v1.Variable", kAtomic},
};
constexpr FieldFacts kAdmissionregistrationV1MutatingWebhook[] = {
    {"admissionReviewVersions", "[]string", kRequired | kWritten | kAtomic},
    {"clientConfig", "admissionregistration.v1.WebhookClientConfig", kRequired | kWritten},
    {"failurePolicy", "string", kPointer, "", "", "", "Fail|Ignore"},
    {"matchConditions", "[]admissionregistration.v1.MatchCondition", kMap | kMerge, "name", "name"},
    {"matchPolicy", "string", kPointer, "", "", "", "Equivalent|Exact"},
    {"name", "string", kRequired | kWritten},
    {"namespaceSelector", "meta.v1.LabelSelector", kPointer},
    {"objectSelector", "meta.v1.LabelSelector", kPointer},
    {"reinvocationPolicy", "string", kPointer, "", "", "", "IfNeeded|Never"},
    {"rules", "[]admissionregistration.v1.RuleWithOperations", kAtomic},
    {"sideEffects", "string", kRequired | kPointer | kWritten, "", "", "",
     "None|NoneOnDryRun|Some|Unknown"},
    {"timeoutSeconds", "int32", kPointer},
};
constexpr FieldFacts kAdmissionregistrationV1MutatingWebhookConfiguration[] = {
    {"metadata", "meta.v1.ObjectMeta", kWritten},
    {"webhooks", "[]admissionregistration.v1.MutatingWebhook", kMap | kMerge, "name", "name"},
};
constexpr FieldFacts kAdmissionregistrationV1Mutation[] = {
    {"applyConfiguration", "admissionregistration.v1.ApplyConfiguration", kPointer},
    {"jsonPatch", "admissionregistration.v1.JSONPatch", kPointer},
    {"patchType", "string", kRequired | kWritten, "", "", "", "ApplyConfiguration|JSONPatch"},
};
constexpr FieldFacts kAdmissionregistrationV1NamedRuleWithOperations[] = {
    {"apiGroups", "[]string", kAtomic},
    {"apiVersions", "[]string", kAtomic},
    {"operations", "[]string", kAtomic, "", "", "", "*|CONNECT|CREATE|DELETE|UPDATE"},
    {"resourceNames", "[]string", kAtomic},
    {"resources", "[]string", kAtomic},
    {"scope", "string", kPointer, "", "", "", "*|Cluster|Namespaced"},
};
constexpr FieldFacts kAdmissionregistrationV1ParamKind[] = {
    {"apiVersion", "string"},
    {"kind", "string"},
};
constexpr FieldFacts kAdmissionregistrationV1ParamRef[] = {
    {"name", "string"},
    {"namespace", "string"},
    {"parameterNotFoundAction", "string", kPointer},
    {"selector", "meta.v1.LabelSelector", kPointer},
};
constexpr FieldFacts kAdmissionregistrationV1RuleWithOperations[] = {
    {"apiGroups", "[]string", kAtomic},
    {"apiVersions", "[]string", kAtomic},
    {"operations", "[]string", kAtomic, "", "", "", "*|CONNECT|CREATE|DELETE|UPDATE"},
    {"resources", "[]string", kAtomic},
    {"scope", "string", kPointer, "", "", "", "*|Cluster|Namespaced"},
};
constexpr FieldFacts kAdmissionregistrationV1ServiceReference[] = {
    {"name", "string", kRequired | kWritten},
    {"namespace", "string", kRequired | kWritten},
    {"path", "string", kPointer},
    {"port", "int32", kPointer},
};
constexpr FieldFacts kAdmissionregistrationV1TypeChecking[] = {
    {"expressionWarnings", "[]admissionregistration.v1.ExpressionWarning", kAtomic},
};
constexpr FieldFacts kAdmissionregistrationV1ValidatingAdmissionPolicy[] = {
    {"metadata", "meta.v1.ObjectMeta", kWritten},
    {"spec", "admissionregistration.v1.ValidatingAdmissionPolicySpec", kWritten},
    {"status", "admissionregistration.v1.ValidatingAdmissionPolicyStatus", kWritten},
};
constexpr FieldFacts kAdmissionregistrationV1ValidatingAdmissionPolicyBinding[] = {
    {"metadata", "meta.v1.ObjectMeta", kWritten},
    {"spec", "admissionregistration.v1.ValidatingAdmissionPolicyBindingSpec", kRequired | kWritten},
};
constexpr FieldFacts kAdmissionregistrationV1ValidatingAdmissionPolicyBindingSpec[] = {
    {"matchResources", "admissionregistration.v1.MatchResources", kPointer},
    {"paramRef", "admissionregistration.v1.ParamRef", kPointer},
    {"policyName", "string", kRequired},
    {"validationActions", "[]string", kRequired | kSet, "", "", "", "Audit|Deny|Warn"},
};
constexpr FieldFacts kAdmissionregistrationV1ValidatingAdmissionPolicySpec[] = {
    {"auditAnnotations", "[]admissionregistration.v1.AuditAnnotation", kAtomic},
    {"failurePolicy", "string", kPointer, "", "", "", "Fail|Ignore"},
    {"matchConditions", "[]admissionregistration.v1.MatchCondition", kMap | kMerge, "name", "name"},
    {"matchConstraints", "admissionregistration.v1.MatchResources", kPointer},
    {"paramKind", "admissionregistration.v1.ParamKind", kPointer},
    {"validations", "[]admissionregistration.v1.Validation", kAtomic},
    {"variables", "[]admissionregistration.v1.Variable", kMap | kMerge, "name", "name"},
};
constexpr FieldFacts kAdmissionregistrationV1ValidatingAdmissionPolicyStatus[] = {
    {"conditions", "[]meta.v1.Condition", kMap, "type"},
    {"observedGeneration", "int64"},
    {"typeChecking", "admissionregistration.v1.TypeChecking", kPointer},
};
constexpr FieldFacts kAdmissionregistrationV1ValidatingWebhook[] = {
    {"admissionReviewVersions", "[]string", kRequired | kWritten | kAtomic},
    {"clientConfig", "admissionregistration.v1.WebhookClientConfig", kRequired | kWritten},
    {"failurePolicy", "string", kPointer, "", "", "", "Fail|Ignore"},
    {"matchConditions", "[]admissionregistration.v1.MatchCondition", kMap | kMerge, "name", "name"},
    {"matchPolicy", "string", kPointer, "", "", "", "Equivalent|Exact"},
    {"name", "string", kRequired | kWritten},
    {"namespaceSelector", "meta.v1.LabelSelector", kPointer},
    {"objectSelector", "meta.v1.LabelSelector", kPointer},
    {"rules", "[]admissionregistration.v1.RuleWithOperations", kAtomic},
    {"sideEffects", "string", kRequired | kPointer | kWritten, "", "", "",
     "None|NoneOnDryRun|Some|Unknown"},
    {"timeoutSeconds", "int32", kPointer},
};
constexpr FieldFacts kAdmissionregistrationV1ValidatingWebhookConfiguration[] = {
    {"metadata", "meta.v1.ObjectMeta", kWritten},
    {"webhooks", "[]admissionregistration.v1.ValidatingWebhook", kMap | kMerge, "name", "name"},
};
constexpr FieldFacts kAdmissionregistrationV1Validation[] = {
    {"expression", "string", kRequired | kWritten},
    {"message", "string"},
    {"messageExpression", "string"},
    {"reason", "string", kPointer},
};
constexpr FieldFacts kAdmissionregistrationV1Variable[] = {
    {"expression", "string", kRequired | kWritten},
    {"name", "string", kRequired | kWritten},
};
constexpr FieldFacts kAdmissionregistrationV1WebhookClientConfig[] = {
    {"caBundle", "bytes"},
    {"service", "admissionregistration.v1.ServiceReference", kPointer},
    {"url", "string", kPointer},
};
constexpr FieldFacts kAuthenticationV1UserInfo[] = {
    {"extra", "{}[]string"},
    {"groups", "[]string", kAtomic},
    {"uid", "string"},
    {"username", "string"},
};
constexpr FieldFacts kMetaV1GroupVersionKind[] = {
    {"group", "string", kWritten},
    {"kind", "string", kWritten},
    {"version", "string", kWritten},
};
constexpr FieldFacts kMetaV1GroupVersionResource[] = {
    {"group", "string", kWritten},
    {"resource", "string", kWritten},
    {"version", "string", kWritten},
};

constexpr StructFacts kStructs[] = {
    {"admission.v1.AdmissionRequest", kAdmissionV1AdmissionRequest},
    {"admission.v1.AdmissionResponse", kAdmissionV1AdmissionResponse},
    {"admission.v1.AdmissionReview", kAdmissionV1AdmissionReview, kTopLevel},
    {"admissionregistration.v1.ApplyConfiguration", kAdmissionregistrationV1ApplyConfiguration},
    {"admissionregistration.v1.AuditAnnotation", kAdmissionregistrationV1AuditAnnotation},
    {"admissionregistration.v1.ExpressionWarning", kAdmissionregistrationV1ExpressionWarning},
    {"admissionregistration.v1.JSONPatch", kAdmissionregistrationV1JSONPatch},
    {"admissionregistration.v1.MatchCondition", kAdmissionregistrationV1MatchCondition, 0,
     "name,expression"},
    {"admissionregistration.v1.MatchResources", kAdmissionregistrationV1MatchResources,
     kAtomicStruct},
    {"admissionregistration.v1.MutatingAdmissionPolicy",
     kAdmissionregistrationV1MutatingAdmissionPolicy, kTopLevel},
    {"admissionregistration.v1.MutatingAdmissionPolicyBinding",
     kAdmissionregistrationV1MutatingAdmissionPolicyBinding, kTopLevel},
    {"admissionregistration.v1.MutatingAdmissionPolicyBindingSpec",
     kAdmissionregistrationV1MutatingAdmissionPolicyBindingSpec},
    {"admissionregistration.v1.MutatingAdmissionPolicySpec",
     kAdmissionregistrationV1MutatingAdmissionPolicySpec},
    {"admissionregistration.v1.MutatingWebhook", kAdmissionregistrationV1MutatingWebhook, 0,
     "name,clientConfig,sideEffects,admissionReviewVersions"},
    {"admissionregistration.v1.MutatingWebhookConfiguration",
     kAdmissionregistrationV1MutatingWebhookConfiguration, kTopLevel},
    {"admissionregistration.v1.Mutation", kAdmissionregistrationV1Mutation},
    {"admissionregistration.v1.NamedRuleWithOperations",
     kAdmissionregistrationV1NamedRuleWithOperations, kAtomicStruct},
    {"admissionregistration.v1.ParamKind", kAdmissionregistrationV1ParamKind, kAtomicStruct},
    {"admissionregistration.v1.ParamRef", kAdmissionregistrationV1ParamRef, kAtomicStruct},
    {"admissionregistration.v1.RuleWithOperations", kAdmissionregistrationV1RuleWithOperations},
    {"admissionregistration.v1.ServiceReference", kAdmissionregistrationV1ServiceReference, 0,
     "namespace,name"},
    {"admissionregistration.v1.TypeChecking", kAdmissionregistrationV1TypeChecking},
    {"admissionregistration.v1.ValidatingAdmissionPolicy",
     kAdmissionregistrationV1ValidatingAdmissionPolicy, kTopLevel},
    {"admissionregistration.v1.ValidatingAdmissionPolicyBinding",
     kAdmissionregistrationV1ValidatingAdmissionPolicyBinding, kTopLevel},
    {"admissionregistration.v1.ValidatingAdmissionPolicyBindingSpec",
     kAdmissionregistrationV1ValidatingAdmissionPolicyBindingSpec},
    {"admissionregistration.v1.ValidatingAdmissionPolicySpec",
     kAdmissionregistrationV1ValidatingAdmissionPolicySpec},
    {"admissionregistration.v1.ValidatingAdmissionPolicyStatus",
     kAdmissionregistrationV1ValidatingAdmissionPolicyStatus},
    {"admissionregistration.v1.ValidatingWebhook", kAdmissionregistrationV1ValidatingWebhook, 0,
     "name,clientConfig,sideEffects,admissionReviewVersions"},
    {"admissionregistration.v1.ValidatingWebhookConfiguration",
     kAdmissionregistrationV1ValidatingWebhookConfiguration, kTopLevel},
    {"admissionregistration.v1.Validation", kAdmissionregistrationV1Validation},
    {"admissionregistration.v1.Variable", kAdmissionregistrationV1Variable, kAtomicStruct,
     "name,expression"},
    {"admissionregistration.v1.WebhookClientConfig", kAdmissionregistrationV1WebhookClientConfig},
    {"authentication.v1.UserInfo", kAuthenticationV1UserInfo},
    {"meta.v1.GroupVersionKind", kMetaV1GroupVersionKind},
    {"meta.v1.GroupVersionResource", kMetaV1GroupVersionResource},
};

}  // namespace

std::span<const StructFacts> AdmissionFacts() { return kStructs; }

}  // namespace kueue::api::facts
