// Written by tools/generate_tables from a Kubernetes 1.36 API server. Not edited by hand.
#include "api/schema/facts/facts.h"

namespace kueue::api::facts {
namespace {

constexpr FieldFacts kAuthenticationV1BoundObjectReference[] = {
    {"apiVersion", "string"},
    {"kind", "string"},
    {"name", "string"},
    {"uid", "string"},
};
constexpr FieldFacts kAuthenticationV1SelfSubjectReview[] = {
    {"metadata", "meta.v1.ObjectMeta", kWritten},
    {"status", "authentication.v1.SelfSubjectReviewStatus", kWritten},
};
constexpr FieldFacts kAuthenticationV1SelfSubjectReviewStatus[] = {
    {"userInfo", "authentication.v1.UserInfo", kWritten},
};
constexpr FieldFacts kAuthenticationV1TokenRequest[] = {
    {"metadata", "meta.v1.ObjectMeta", kWritten},
    {"spec", "authentication.v1.TokenRequestSpec", kWritten},
    {"status", "authentication.v1.TokenRequestStatus", kWritten},
};
constexpr FieldFacts kAuthenticationV1TokenRequestSpec[] = {
    {"audiences", "[]string", kWritten | kAtomic},
    {"boundObjectRef", "authentication.v1.BoundObjectReference", kPointer | kWritten},
    {"expirationSeconds", "int64", kPointer | kWritten},
};
constexpr FieldFacts kAuthenticationV1TokenRequestStatus[] = {
    {"expirationTimestamp", "time", kWritten},
    {"token", "string", kWritten},
};
constexpr FieldFacts kAuthenticationV1TokenReview[] = {
    {"metadata", "meta.v1.ObjectMeta", kWritten},
    {"spec", "authentication.v1.TokenReviewSpec", kRequired | kWritten},
    {"status", "authentication.v1.TokenReviewStatus", kWritten},
};
constexpr FieldFacts kAuthenticationV1TokenReviewSpec[] = {
    {"audiences", "[]string", kAtomic},
    {"token", "string", kRequired},
};
constexpr FieldFacts kAuthenticationV1TokenReviewStatus[] = {
    {"audiences", "[]string", kAtomic},
    {"authenticated", "bool"},
    {"error", "string"},
    {"user", "authentication.v1.UserInfo", kWritten},
};
constexpr FieldFacts kAuthorizationV1FieldSelectorAttributes[] = {
    {"rawSelector", "string"},
    {"requirements", "[]meta.v1.FieldSelectorRequirement", kAtomic},
};
constexpr FieldFacts kAuthorizationV1LabelSelectorAttributes[] = {
    {"rawSelector", "string"},
    {"requirements", "[]meta.v1.LabelSelectorRequirement", kAtomic},
};
constexpr FieldFacts kAuthorizationV1LocalSubjectAccessReview[] = {
    {"metadata", "meta.v1.ObjectMeta", kWritten},
    {"spec", "authorization.v1.SubjectAccessReviewSpec", kRequired | kWritten},
    {"status", "authorization.v1.SubjectAccessReviewStatus", kWritten},
};
constexpr FieldFacts kAuthorizationV1NonResourceAttributes[] = {
    {"path", "string"},
    {"verb", "string"},
};
constexpr FieldFacts kAuthorizationV1NonResourceRule[] = {
    {"nonResourceURLs", "[]string", kAtomic},
    {"verbs", "[]string", kRequired | kWritten | kAtomic},
};
constexpr FieldFacts kAuthorizationV1ResourceAttributes[] = {
    {"fieldSelector", "authorization.v1.FieldSelectorAttributes", kPointer},
    {"group", "string"},
    {"labelSelector", "authorization.v1.LabelSelectorAttributes", kPointer},
    {"name", "string"},
    {"namespace", "string"},
    {"resource", "string"},
    {"subresource", "string"},
    {"verb", "string"},
    {"version", "string"},
};
constexpr FieldFacts kAuthorizationV1ResourceRule[] = {
    {"apiGroups", "[]string", kAtomic},
    {"resourceNames", "[]string", kAtomic},
    {"resources", "[]string", kAtomic},
    {"verbs", "[]string", kRequired | kWritten | kAtomic},
};
constexpr FieldFacts kAuthorizationV1SelfSubjectAccessReview[] = {
    {"metadata", "meta.v1.ObjectMeta", kWritten},
    {"spec", "authorization.v1.SelfSubjectAccessReviewSpec", kRequired | kWritten},
    {"status", "authorization.v1.SubjectAccessReviewStatus", kWritten},
};
constexpr FieldFacts kAuthorizationV1SelfSubjectAccessReviewSpec[] = {
    {"nonResourceAttributes", "authorization.v1.NonResourceAttributes", kPointer},
    {"resourceAttributes", "authorization.v1.ResourceAttributes", kPointer},
};
constexpr FieldFacts kAuthorizationV1SelfSubjectRulesReview[] = {
    {"metadata", "meta.v1.ObjectMeta", kWritten},
    {"spec", "authorization.v1.SelfSubjectRulesReviewSpec", kRequired | kWritten},
    {"status", "authorization.v1.SubjectRulesReviewStatus", kWritten},
};
constexpr FieldFacts kAuthorizationV1SelfSubjectRulesReviewSpec[] = {
    {"namespace", "string"},
};
constexpr FieldFacts kAuthorizationV1SubjectAccessReview[] = {
    {"metadata", "meta.v1.ObjectMeta", kWritten},
    {"spec", "authorization.v1.SubjectAccessReviewSpec", kRequired | kWritten},
    {"status", "authorization.v1.SubjectAccessReviewStatus", kWritten},
};
constexpr FieldFacts kAuthorizationV1SubjectAccessReviewSpec[] = {
    {"extra", "{}[]string"},
    {"groups", "[]string", kAtomic},
    {"nonResourceAttributes", "authorization.v1.NonResourceAttributes", kPointer},
    {"resourceAttributes", "authorization.v1.ResourceAttributes", kPointer},
    {"uid", "string"},
    {"user", "string"},
};
constexpr FieldFacts kAuthorizationV1SubjectAccessReviewStatus[] = {
    {"allowed", "bool", kRequired | kWritten},
    {"denied", "bool"},
    {"evaluationError", "string"},
    {"reason", "string"},
};
constexpr FieldFacts kAuthorizationV1SubjectRulesReviewStatus[] = {
    {"evaluationError", "string"},
    {"incomplete", "bool", kRequired | kWritten},
    {"nonResourceRules", "[]authorization.v1.NonResourceRule", kRequired | kWritten | kAtomic},
    {"resourceRules", "[]authorization.v1.ResourceRule", kRequired | kWritten | kAtomic},
};
constexpr FieldFacts kRbacV1AggregationRule[] = {
    {"clusterRoleSelectors", "[]meta.v1.LabelSelector", kAtomic},
};
constexpr FieldFacts kRbacV1ClusterRole[] = {
    {"aggregationRule", "rbac.v1.AggregationRule", kPointer},
    {"metadata", "meta.v1.ObjectMeta", kWritten},
    {"rules", "[]rbac.v1.PolicyRule", kWritten | kAtomic},
};
constexpr FieldFacts kRbacV1ClusterRoleBinding[] = {
    {"metadata", "meta.v1.ObjectMeta", kWritten},
    {"roleRef", "rbac.v1.RoleRef", kRequired | kWritten},
    {"subjects", "[]rbac.v1.Subject", kAtomic},
};
constexpr FieldFacts kRbacV1PolicyRule[] = {
    {"apiGroups", "[]string", kAtomic},
    {"nonResourceURLs", "[]string", kAtomic},
    {"resourceNames", "[]string", kAtomic},
    {"resources", "[]string", kAtomic},
    {"verbs", "[]string", kRequired | kWritten | kAtomic},
};
constexpr FieldFacts kRbacV1Role[] = {
    {"metadata", "meta.v1.ObjectMeta", kWritten},
    {"rules", "[]rbac.v1.PolicyRule", kWritten | kAtomic},
};
constexpr FieldFacts kRbacV1RoleBinding[] = {
    {"metadata", "meta.v1.ObjectMeta", kWritten},
    {"roleRef", "rbac.v1.RoleRef", kRequired | kWritten},
    {"subjects", "[]rbac.v1.Subject", kAtomic},
};
constexpr FieldFacts kRbacV1RoleRef[] = {
    {"apiGroup", "string", kWritten},
    {"kind", "string", kRequired | kWritten},
    {"name", "string", kRequired | kWritten},
};
constexpr FieldFacts kRbacV1Subject[] = {
    {"apiGroup", "string"},
    {"kind", "string", kRequired | kWritten},
    {"name", "string", kRequired | kWritten},
    {"namespace", "string"},
};
constexpr FieldFacts kMetaV1FieldSelectorRequirement[] = {
    {"key", "string", kRequired | kWritten},
    {"operator", "string", kRequired | kWritten},
    {"values", "[]string", kAtomic},
};

constexpr StructFacts kStructs[] = {
    {"authentication.v1.BoundObjectReference", kAuthenticationV1BoundObjectReference},
    {"authentication.v1.SelfSubjectReview", kAuthenticationV1SelfSubjectReview, kTopLevel},
    {"authentication.v1.SelfSubjectReviewStatus", kAuthenticationV1SelfSubjectReviewStatus},
    {"authentication.v1.TokenRequest", kAuthenticationV1TokenRequest, kTopLevel},
    {"authentication.v1.TokenRequestSpec", kAuthenticationV1TokenRequestSpec},
    {"authentication.v1.TokenRequestStatus", kAuthenticationV1TokenRequestStatus},
    {"authentication.v1.TokenReview", kAuthenticationV1TokenReview, kTopLevel},
    {"authentication.v1.TokenReviewSpec", kAuthenticationV1TokenReviewSpec},
    {"authentication.v1.TokenReviewStatus", kAuthenticationV1TokenReviewStatus},
    {"authorization.v1.FieldSelectorAttributes", kAuthorizationV1FieldSelectorAttributes},
    {"authorization.v1.LabelSelectorAttributes", kAuthorizationV1LabelSelectorAttributes},
    {"authorization.v1.LocalSubjectAccessReview", kAuthorizationV1LocalSubjectAccessReview,
     kTopLevel},
    {"authorization.v1.NonResourceAttributes", kAuthorizationV1NonResourceAttributes},
    {"authorization.v1.NonResourceRule", kAuthorizationV1NonResourceRule},
    {"authorization.v1.ResourceAttributes", kAuthorizationV1ResourceAttributes},
    {"authorization.v1.ResourceRule", kAuthorizationV1ResourceRule},
    {"authorization.v1.SelfSubjectAccessReview", kAuthorizationV1SelfSubjectAccessReview,
     kTopLevel},
    {"authorization.v1.SelfSubjectAccessReviewSpec", kAuthorizationV1SelfSubjectAccessReviewSpec},
    {"authorization.v1.SelfSubjectRulesReview", kAuthorizationV1SelfSubjectRulesReview, kTopLevel},
    {"authorization.v1.SelfSubjectRulesReviewSpec", kAuthorizationV1SelfSubjectRulesReviewSpec},
    {"authorization.v1.SubjectAccessReview", kAuthorizationV1SubjectAccessReview, kTopLevel},
    {"authorization.v1.SubjectAccessReviewSpec", kAuthorizationV1SubjectAccessReviewSpec},
    {"authorization.v1.SubjectAccessReviewStatus", kAuthorizationV1SubjectAccessReviewStatus},
    {"authorization.v1.SubjectRulesReviewStatus", kAuthorizationV1SubjectRulesReviewStatus, 0,
     "resourceRules,nonResourceRules,incomplete"},
    {"rbac.v1.AggregationRule", kRbacV1AggregationRule},
    {"rbac.v1.ClusterRole", kRbacV1ClusterRole, kTopLevel},
    {"rbac.v1.ClusterRoleBinding", kRbacV1ClusterRoleBinding, kTopLevel},
    {"rbac.v1.PolicyRule", kRbacV1PolicyRule},
    {"rbac.v1.Role", kRbacV1Role, kTopLevel},
    {"rbac.v1.RoleBinding", kRbacV1RoleBinding, kTopLevel},
    {"rbac.v1.RoleRef", kRbacV1RoleRef, kAtomicStruct},
    {"rbac.v1.Subject", kRbacV1Subject, kAtomicStruct},
    {"meta.v1.FieldSelectorRequirement", kMetaV1FieldSelectorRequirement},
};

}  // namespace

std::span<const StructFacts> AccessFacts() { return kStructs; }

}  // namespace kueue::api::facts
