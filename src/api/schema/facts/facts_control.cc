// Written by tools/generate_tables from a Kubernetes 1.36 API server. Not edited by hand.
#include "api/schema/facts/facts.h"

namespace kueue::api::facts {
namespace {

constexpr FieldFacts kCertificatesV1CertificateSigningRequest[] = {
    {"metadata", "meta.v1.ObjectMeta", kWritten},
    {"spec", "certificates.v1.CertificateSigningRequestSpec", kRequired | kWritten},
    {"status", "certificates.v1.CertificateSigningRequestStatus", kWritten},
};
constexpr FieldFacts kCertificatesV1CertificateSigningRequestCondition[] = {
    {"lastTransitionTime", "time", kWritten},
    {"lastUpdateTime", "time", kWritten},
    {"message", "string"},
    {"reason", "string"},
    {"status", "string", kRequired | kWritten},
    {"type", "string", kRequired | kWritten},
};
constexpr FieldFacts kCertificatesV1CertificateSigningRequestSpec[] = {
    {"expirationSeconds", "int32", kPointer},
    {"extra", "{}[]string"},
    {"groups", "[]string", kAtomic},
    {"request", "bytes", kRequired | kWritten},
    {"signerName", "string", kRequired | kWritten},
    {"uid", "string"},
    {"usages", "[]string", kAtomic, "", "", "",
     "any|cert sign|client auth|code signing|content commitment|crl sign|data encipherment|"
     "decipher only|digital signature|email protection|encipher only|ipsec end system|"
     "ipsec tunnel|ipsec user|key agreement|key encipherment|microsoft sgc|netscape sgc|"
     "ocsp signing|s/mime|server auth|signing|timestamping"},
    {"username", "string"},
};
constexpr FieldFacts kCertificatesV1CertificateSigningRequestStatus[] = {
    {"certificate", "bytes"},
    {"conditions", "[]certificates.v1.CertificateSigningRequestCondition", kMap, "type"},
};
constexpr FieldFacts kFlowcontrolV1ExemptPriorityLevelConfiguration[] = {
    {"lendablePercent", "int32", kPointer},
    {"nominalConcurrencyShares", "int32", kPointer},
};
constexpr FieldFacts kFlowcontrolV1FlowDistinguisherMethod[] = {
    {"type", "string", kRequired | kWritten},
};
constexpr FieldFacts kFlowcontrolV1FlowSchema[] = {
    {"metadata", "meta.v1.ObjectMeta", kWritten},
    {"spec", "flowcontrol.v1.FlowSchemaSpec", kWritten},
    {"status", "flowcontrol.v1.FlowSchemaStatus", kWritten},
};
constexpr FieldFacts kFlowcontrolV1FlowSchemaCondition[] = {
    {"lastTransitionTime", "time", kWritten},
    {"message", "string"},
    {"reason", "string"},
    {"status", "string"},
    {"type", "string"},
};
constexpr FieldFacts kFlowcontrolV1FlowSchemaSpec[] = {
    {"distinguisherMethod", "flowcontrol.v1.FlowDistinguisherMethod", kPointer},
    {"matchingPrecedence", "int32", kWritten},
    {"priorityLevelConfiguration", "flowcontrol.v1.PriorityLevelConfigurationReference",
     kRequired | kWritten},
    {"rules", "[]flowcontrol.v1.PolicyRulesWithSubjects", kAtomic},
};
constexpr FieldFacts kFlowcontrolV1FlowSchemaStatus[] = {
    {"conditions", "[]flowcontrol.v1.FlowSchemaCondition", kMap | kMerge, "type", "type"},
};
constexpr FieldFacts kFlowcontrolV1GroupSubject[] = {
    {"name", "string", kRequired | kWritten},
};
constexpr FieldFacts kFlowcontrolV1LimitResponse[] = {
    {"queuing", "flowcontrol.v1.QueuingConfiguration", kPointer},
    {"type", "string", kRequired | kWritten},
};
constexpr FieldFacts kFlowcontrolV1LimitedPriorityLevelConfiguration[] = {
    {"borrowingLimitPercent", "int32", kPointer},
    {"lendablePercent", "int32", kPointer},
    {"limitResponse", "flowcontrol.v1.LimitResponse", kWritten},
    {"nominalConcurrencyShares", "int32", kPointer | kWritten},
};
constexpr FieldFacts kFlowcontrolV1NonResourcePolicyRule[] = {
    {"nonResourceURLs", "[]string", kRequired | kWritten | kSet},
    {"verbs", "[]string", kRequired | kWritten | kSet},
};
constexpr FieldFacts kFlowcontrolV1PolicyRulesWithSubjects[] = {
    {"nonResourceRules", "[]flowcontrol.v1.NonResourcePolicyRule", kAtomic},
    {"resourceRules", "[]flowcontrol.v1.ResourcePolicyRule", kAtomic},
    {"subjects", "[]flowcontrol.v1.Subject", kRequired | kWritten | kAtomic},
};
constexpr FieldFacts kFlowcontrolV1PriorityLevelConfiguration[] = {
    {"metadata", "meta.v1.ObjectMeta", kWritten},
    {"spec", "flowcontrol.v1.PriorityLevelConfigurationSpec", kWritten},
    {"status", "flowcontrol.v1.PriorityLevelConfigurationStatus", kWritten},
};
constexpr FieldFacts kFlowcontrolV1PriorityLevelConfigurationCondition[] = {
    {"lastTransitionTime", "time", kWritten},
    {"message", "string"},
    {"reason", "string"},
    {"status", "string"},
    {"type", "string"},
};
constexpr FieldFacts kFlowcontrolV1PriorityLevelConfigurationReference[] = {
    {"name", "string", kRequired | kWritten},
};
constexpr FieldFacts kFlowcontrolV1PriorityLevelConfigurationSpec[] = {
    {"exempt", "flowcontrol.v1.ExemptPriorityLevelConfiguration", kPointer},
    {"limited", "flowcontrol.v1.LimitedPriorityLevelConfiguration", kPointer},
    {"type", "string", kRequired | kWritten},
};
constexpr FieldFacts kFlowcontrolV1PriorityLevelConfigurationStatus[] = {
    {"conditions", "[]flowcontrol.v1.PriorityLevelConfigurationCondition", kMap | kMerge, "type",
     "type"},
};
constexpr FieldFacts kFlowcontrolV1QueuingConfiguration[] = {
    {"handSize", "int32", kWritten},
    {"queueLengthLimit", "int32", kWritten},
    {"queues", "int32", kWritten},
};
constexpr FieldFacts kFlowcontrolV1ResourcePolicyRule[] = {
    {"apiGroups", "[]string", kRequired | kWritten | kSet},
    {"clusterScope", "bool"},
    {"namespaces", "[]string", kWritten | kSet},
    {"resources", "[]string", kRequired | kWritten | kSet},
    {"verbs", "[]string", kRequired | kWritten | kSet},
};
constexpr FieldFacts kFlowcontrolV1ServiceAccountSubject[] = {
    {"name", "string", kRequired | kWritten},
    {"namespace", "string", kRequired | kWritten},
};
constexpr FieldFacts kFlowcontrolV1Subject[] = {
    {"group", "flowcontrol.v1.GroupSubject", kPointer},
    {"kind", "string", kRequired | kWritten},
    {"serviceAccount", "flowcontrol.v1.ServiceAccountSubject", kPointer},
    {"user", "flowcontrol.v1.UserSubject", kPointer},
};
constexpr FieldFacts kFlowcontrolV1UserSubject[] = {
    {"name", "string", kRequired | kWritten},
};

constexpr StructFacts kStructs[] = {
    {"certificates.v1.CertificateSigningRequest", kCertificatesV1CertificateSigningRequest,
     kTopLevel},
    {"certificates.v1.CertificateSigningRequestCondition",
     kCertificatesV1CertificateSigningRequestCondition, 0, "type,status"},
    {"certificates.v1.CertificateSigningRequestSpec", kCertificatesV1CertificateSigningRequestSpec},
    {"certificates.v1.CertificateSigningRequestStatus",
     kCertificatesV1CertificateSigningRequestStatus},
    {"flowcontrol.v1.ExemptPriorityLevelConfiguration",
     kFlowcontrolV1ExemptPriorityLevelConfiguration},
    {"flowcontrol.v1.FlowDistinguisherMethod", kFlowcontrolV1FlowDistinguisherMethod},
    {"flowcontrol.v1.FlowSchema", kFlowcontrolV1FlowSchema, kTopLevel},
    {"flowcontrol.v1.FlowSchemaCondition", kFlowcontrolV1FlowSchemaCondition},
    {"flowcontrol.v1.FlowSchemaSpec", kFlowcontrolV1FlowSchemaSpec},
    {"flowcontrol.v1.FlowSchemaStatus", kFlowcontrolV1FlowSchemaStatus},
    {"flowcontrol.v1.GroupSubject", kFlowcontrolV1GroupSubject},
    {"flowcontrol.v1.LimitResponse", kFlowcontrolV1LimitResponse},
    {"flowcontrol.v1.LimitedPriorityLevelConfiguration",
     kFlowcontrolV1LimitedPriorityLevelConfiguration},
    {"flowcontrol.v1.NonResourcePolicyRule", kFlowcontrolV1NonResourcePolicyRule, 0,
     "verbs,nonResourceURLs"},
    {"flowcontrol.v1.PolicyRulesWithSubjects", kFlowcontrolV1PolicyRulesWithSubjects},
    {"flowcontrol.v1.PriorityLevelConfiguration", kFlowcontrolV1PriorityLevelConfiguration,
     kTopLevel},
    {"flowcontrol.v1.PriorityLevelConfigurationCondition",
     kFlowcontrolV1PriorityLevelConfigurationCondition},
    {"flowcontrol.v1.PriorityLevelConfigurationReference",
     kFlowcontrolV1PriorityLevelConfigurationReference},
    {"flowcontrol.v1.PriorityLevelConfigurationSpec", kFlowcontrolV1PriorityLevelConfigurationSpec},
    {"flowcontrol.v1.PriorityLevelConfigurationStatus",
     kFlowcontrolV1PriorityLevelConfigurationStatus},
    {"flowcontrol.v1.QueuingConfiguration", kFlowcontrolV1QueuingConfiguration},
    {"flowcontrol.v1.ResourcePolicyRule", kFlowcontrolV1ResourcePolicyRule, 0,
     "verbs,apiGroups,resources"},
    {"flowcontrol.v1.ServiceAccountSubject", kFlowcontrolV1ServiceAccountSubject, 0,
     "namespace,name"},
    {"flowcontrol.v1.Subject", kFlowcontrolV1Subject},
    {"flowcontrol.v1.UserSubject", kFlowcontrolV1UserSubject},
};

}  // namespace

std::span<const StructFacts> ControlFacts() { return kStructs; }

}  // namespace kueue::api::facts
