#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "api/schema/kind.h"

// What the files of validation share. Paths are as Kubernetes writes them ("spec.a[0].b").
namespace kueue::api {

class ExpressionScope;
using FieldErrors = std::vector<FieldError>;

// ---- adding errors

void AddError(FieldErrors& errors, FieldErrorType type, std::string field, std::string message);
void AddInvalid(FieldErrors& errors, std::string field, std::string message);
void AddRequired(FieldErrors& errors, std::string field, std::string message = "must be set");
// One Invalid per sentence.
void AddInvalid(FieldErrors& errors, const std::string& field,
                const std::vector<std::string>& messages);
void AddNotSupported(FieldErrors& errors, std::string field, std::string_view value,
                     const std::vector<std::string_view>& supported);

// ---- paths: Field("spec", "a") is "spec.a", Field("spec.a", 0) is "spec.a[0]",
// Key("data", "x") is "data[x]"

std::string Field(const std::string& path, std::string_view member);
std::string Field(const std::string& path, size_t index);
std::string Key(const std::string& path, std::string_view key);

// ---- reading; all give "nothing" for a value of another type

// An array's entries, a static empty array otherwise.
const Json::Array& Items(const Json* value);
const Json::Array& Items(const Json& object, std::string_view member);
const Json::Object& Members(const Json* value);
// The member's text, "" if there is none.
std::string_view Text(const Json& object, std::string_view member);
// The member if it is an integer.
std::optional<int64_t> Int(const Json& object, std::string_view member);
bool True(const Json& object, std::string_view member);
// Equal by meaning where absent equals null, "", {} and [].
bool SameOrBothEmpty(const Json* a, const Json* b);
// A quantity's value; nothing if it is absent or unreadable.
std::optional<Quantity> QuantityIn(const Json* value);

// ---- the table

// Values that cannot be read as the table's types, of the whole object.
void CheckTypes(const StructDescriptor& table, const Json& object, FieldErrors& errors);
// The same for its metadata only.
void CheckMetadataTypes(const StructDescriptor& table, const Json& object, FieldErrors& errors);
// Everything the table says, except about metadata. `before` may be null: a create.
void CheckSchema(const StructDescriptor& table, const Json& object, const Json* before,
                 FieldErrors& errors);

// ---- single members, at Field(path, member)

void CheckNonNegative(const Json& object, const std::string& path, std::string_view member,
                      FieldErrors& errors);
// A text that is there and none of these is not supported.
void CheckAllowed(const Json& object, const std::string& path, std::string_view member,
                  const std::vector<std::string_view>& allowed, FieldErrors& errors);
// A whole number or a percentage, not negative; `at_most_all`: at most 100 %.
void CheckIntOrPercent(const Json& object, const std::string& path, std::string_view member,
                       bool at_most_all, FieldErrors& errors);
// A member that an update may not change.
void CheckUnchanged(const Json& object, const Json& before, const std::string& path,
                    std::string_view member, FieldErrors& errors);

// ---- metadata

// `update`: mistakes are told as often as for a change.
void CheckMetadata(const KindInfo& kind, const Json& object, bool update, FieldErrors& errors);
void CheckMetadataUpdate(const Json& before, const Json& after, FieldErrors& errors);
// Of labels at any path: one Invalid at `path` per broken key or value.
void CheckLabels(const Json* labels, const std::string& path, FieldErrors& errors);
void CheckAnnotations(const Json* annotations, const std::string& path, FieldErrors& errors);
// Of a metav1.LabelSelector.
void CheckLabelSelector(const Json* selector, const std::string& path, FieldErrors& errors);

// ---- rules of single kinds. `before` null: a create.

void CheckBuiltInRules(const KindInfo& kind, const Json& object, const Json* before,
                       FieldErrors& errors);
void CheckJobRules(const Json& job, const Json* before, FieldErrors& errors);
// What a changed status may say. `before` is the job as it was.
void CheckJobStatus(const Json& job, const Json& before, FieldErrors& errors);
void CheckPodRules(const Json& pod, const Json* before, FieldErrors& errors);
// A PodSpec, in pods and templates.
void CheckPodSpec(const Json& spec, const std::string& path, FieldErrors& errors);
// The volumes of a PodSpec and where its containers mount them.
void CheckVolumes(const Json& spec, const std::string& path, FieldErrors& errors);
// At most 15 of a-z, 0-9 and '-', with a letter, no '-' at the ends or doubled.
std::vector<std::string> PortNameProblems(std::string_view name);
// A job's template in a CronJob: as a job's spec, without a selector of its own.
void CheckJobTemplate(const Json& job_template, const std::string& path, FieldErrors& errors);
// The kinds whose pods always run again. Each takes the whole object.
void CheckCronJobRules(const Json& object, const Json* before, FieldErrors& errors);
void CheckCustomResourceDefinitionRules(const Json& object, const Json* before,
                                        FieldErrors& errors);
void CheckDaemonSetRules(const Json& object, const Json* before, FieldErrors& errors);
void CheckDeploymentRules(const Json& object, const Json* before, FieldErrors& errors);
void CheckPodDisruptionBudgetRules(const Json& object, const Json* before, FieldErrors& errors);
void CheckPodTemplateRules(const Json& object, const Json* before, FieldErrors& errors);
void CheckReplicaSetRules(const Json& object, const Json* before, FieldErrors& errors);
void CheckReplicationControllerRules(const Json& object, const Json* before, FieldErrors& errors);
void CheckStatefulSetRules(const Json& object, const Json* before, FieldErrors& errors);
// Kinds a cluster is set up with.
void CheckBindingRules(const Json& object, const Json* before, FieldErrors& errors);
void CheckLimitRangeRules(const Json& object, const Json* before, FieldErrors& errors);
void CheckPersistentVolumeClaimRules(const Json& object, const Json* before, FieldErrors& errors);
void CheckPersistentVolumeRules(const Json& object, const Json* before, FieldErrors& errors);
void CheckPriorityClassRules(const Json& object, const Json* before, FieldErrors& errors);
void CheckResourceClaimRules(const Json& object, const Json* before, FieldErrors& errors);
void CheckResourceQuotaRules(const Json& object, const Json* before, FieldErrors& errors);
void CheckRoleRules(const Json& object, const Json* before, FieldErrors& errors);
void CheckRuntimeClassRules(const Json& object, const Json* before, FieldErrors& errors);
void CheckServiceRules(const Json& object, const Json* before, FieldErrors& errors);
void CheckStorageClassRules(const Json& object, const Json* before, FieldErrors& errors);
void CheckWebhookRules(const Json& object, const Json* before, FieldErrors& errors);
// Admission policies and their bindings.
void CheckAdmissionBindingRules(const Json& object, const Json* before, FieldErrors& errors);
void CheckAdmissionPolicyRules(const Json& object, const Json* before, FieldErrors& errors);
// A rule of a webhook or policy: operations, groups, versions, resources, scope.
void CheckNamedRule(const Json& rule, const std::string& path, FieldErrors& errors);
// The member matchConditions of `object`, whose path is `path`.
void CheckMatchConditions(const Json& object, const std::string& path, const ExpressionScope& scope,
                          FieldErrors& errors);
// Whether the text is a schedule of five fields or one of the @names.
bool IsCronSchedule(std::string_view text);

}  // namespace kueue::api
