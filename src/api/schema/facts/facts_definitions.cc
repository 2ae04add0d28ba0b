// Written by tools/generate_tables from a Kubernetes 1.36 API server. Not edited by hand.
#include "api/schema/facts/facts.h"

namespace kueue::api::facts {
namespace {

constexpr FieldFacts kApiextensionsV1ConversionRequest[] = {
    {"desiredAPIVersion", "string", kWritten},
    {"objects", "[]json", kWritten},
    {"uid", "string", kWritten},
};
constexpr FieldFacts kApiextensionsV1ConversionResponse[] = {
    {"convertedObjects", "[]json", kWritten},
    {"result", "meta.v1.Status", kWritten},
    {"uid", "string", kWritten},
};
constexpr FieldFacts kApiextensionsV1ConversionReview[] = {
    {"request", "apiextensions.v1.ConversionRequest", kPointer},
    {"response", "apiextensions.v1.ConversionResponse", kPointer},
};
constexpr FieldFacts kApiextensionsV1CustomResourceColumnDefinition[] = {
    {"description", "string"},
    {"format", "string"},
    {"jsonPath", "string", kRequired | kWritten},
    {"name", "string", kRequired | kWritten},
    {"priority", "int32"},
    {"type", "string", kRequired | kWritten},
};
constexpr FieldFacts kApiextensionsV1CustomResourceConversion[] = {
    {"strategy", "string", kRequired | kWritten},
    {"webhook", "apiextensions.v1.WebhookConversion", kPointer},
};
constexpr FieldFacts kApiextensionsV1CustomResourceDefinition[] = {
    {"metadata", "meta.v1.ObjectMeta", kWritten},
    {"spec", "apiextensions.v1.CustomResourceDefinitionSpec", kRequired | kWritten},
    {"status", "apiextensions.v1.CustomResourceDefinitionStatus", kWritten},
};
constexpr FieldFacts kApiextensionsV1CustomResourceDefinitionCondition[] = {
    {"lastTransitionTime", "time", kWritten},
    {"message", "string"},
    {"observedGeneration", "int64"},
    {"reason", "string"},
    {"status", "string", kRequired | kWritten},
    {"type", "string", kRequired | kWritten},
};
constexpr FieldFacts kApiextensionsV1CustomResourceDefinitionNames[] = {
    {"categories", "[]string", kAtomic},
    {"kind", "string", kRequired | kWritten},
    {"listKind", "string"},
    {"plural", "string", kRequired | kWritten},
    {"shortNames", "[]string", kAtomic},
    {"singular", "string"},
};
constexpr FieldFacts kApiextensionsV1CustomResourceDefinitionSpec[] = {
    {"conversion", "apiextensions.v1.CustomResourceConversion", kPointer},
    {"group", "string", kRequired | kWritten},
    {"names", "apiextensions.v1.CustomResourceDefinitionNames", kRequired | kWritten},
    {"preserveUnknownFields", "bool"},
    {"scope", "string", kRequired | kWritten},
    {"versions", "[]apiextensions.v1.CustomResourceDefinitionVersion",
     kRequired | kWritten | kAtomic},
};
constexpr FieldFacts kApiextensionsV1CustomResourceDefinitionStatus[] = {
    {"acceptedNames", "apiextensions.v1.CustomResourceDefinitionNames", kWritten},
    {"conditions", "[]apiextensions.v1.CustomResourceDefinitionCondition", kWritten | kMap, "type"},
    {"observedGeneration", "int64"},
    {"storedVersions", "[]string", kWritten | kAtomic},
};
constexpr FieldFacts kApiextensionsV1CustomResourceDefinitionVersion[] = {
    {"additionalPrinterColumns", "[]apiextensions.v1.CustomResourceColumnDefinition", kAtomic},
    {"deprecated", "bool"},
    {"deprecationWarning", "string", kPointer},
    {"name", "string", kRequired | kWritten},
    {"schema", "apiextensions.v1.CustomResourceValidation", kPointer},
    {"selectableFields", "[]apiextensions.v1.SelectableField", kAtomic},
    {"served", "bool", kRequired | kWritten},
    {"storage", "bool", kRequired | kWritten},
    {"subresources", "apiextensions.v1.CustomResourceSubresources", kPointer},
};
constexpr FieldFacts kApiextensionsV1CustomResourceSubresourceScale[] = {
    {"labelSelectorPath", "string", kPointer},
    {"specReplicasPath", "string", kRequired | kWritten},
    {"statusReplicasPath", "string", kRequired | kWritten},
};
constexpr FieldFacts kApiextensionsV1CustomResourceSubresources[] = {
    {"scale", "apiextensions.v1.CustomResourceSubresourceScale", kPointer},
    {"status", "json", kPointer},
};
constexpr FieldFacts kApiextensionsV1CustomResourceValidation[] = {
    {"openAPIV3Schema", "apiextensions.v1.JSONSchemaProps", kPointer},
};
constexpr FieldFacts kApiextensionsV1ExternalDocumentation[] = {
    {"description", "string"},
    {"url", "string"},
};
constexpr FieldFacts kApiextensionsV1JSONSchemaProps[] = {
    {"$ref", "string", kPointer},
    {"$schema", "string"},
    {"additionalItems", "json", kPointer},
    {"additionalProperties", "json", kPointer},
    {"allOf", "[]apiextensions.v1.JSONSchemaProps", kAtomic},
    {"anyOf", "[]apiextensions.v1.JSONSchemaProps", kAtomic},
    {"default", "json", kPointer},
    {"definitions", "{}apiextensions.v1.JSONSchemaProps"},
    {"dependencies", "{}json"},
    {"description", "string"},
    {"enum", "[]json", kAtomic},
    {"example", "json", kPointer},
    {"exclusiveMaximum", "bool"},
    {"exclusiveMinimum", "bool"},
    {"externalDocs", "apiextensions.v1.ExternalDocumentation", kPointer},
    {"format", "string"},
    {"id", "string"},
    {"items", "json", kPointer},
    {"maxItems", "int64", kPointer},
    {"maxLength", "int64", kPointer},
    {"maxProperties", "int64", kPointer},
    {"maximum", "number", kPointer},
    {"minItems", "int64", kPointer},
    {"minLength", "int64", kPointer},
    {"minProperties", "int64", kPointer},
    {"minimum", "number", kPointer},
    {"multipleOf", "number", kPointer},
    {"not", "apiextensions.v1.JSONSchemaProps", kPointer},
    {"nullable", "bool"},
    {"oneOf", "[]apiextensions.v1.JSONSchemaProps", kAtomic},
    {"pattern", "string"},
    {"patternProperties", "{}apiextensions.v1.JSONSchemaProps"},
    {"properties", "{}apiextensions.v1.JSONSchemaProps"},
    {"required", "[]string", kAtomic},
    {"title", "string"},
    {"type", "string"},
    {"uniqueItems", "bool"},
    {"x-kubernetes-embedded-resource", "bool"},
    {"x-kubernetes-int-or-string", "bool"},
    {"x-kubernetes-list-map-keys", "[]string", kAtomic},
    {"x-kubernetes-list-type", "string", kPointer},
    {"x-kubernetes-map-type", "string", kPointer},
    {"x-kubernetes-preserve-unknown-fields", "bool", kPointer},
    {"x-kubernetes-validations", "[]apiextensions.v1.ValidationRule", kMap | kMerge, "rule",
     "rule"},
};
constexpr FieldFacts kApiextensionsV1SelectableField[] = {
    {"jsonPath", "string", kRequired | kWritten},
};
constexpr FieldFacts kApiextensionsV1ServiceReference[] = {
    {"name", "string", kRequired | kWritten},
    {"namespace", "string", kRequired | kWritten},
    {"path", "string", kPointer},
    {"port", "int32", kPointer},
};
constexpr FieldFacts kApiextensionsV1ValidationRule[] = {
    {"fieldPath", "string"},
    {"message", "string"},
    {"messageExpression", "string"},
    {"optionalOldSelf", "bool", kPointer},
    {"reason", "string", kPointer, "", "", "",
     "FieldValueDuplicate|FieldValueForbidden|FieldValueInvalid|FieldValueRequired"},
    {"rule", "string", kRequired | kWritten},
};
constexpr FieldFacts kApiextensionsV1WebhookClientConfig[] = {
    {"caBundle", "bytes"},
    {"service", "apiextensions.v1.ServiceReference", kPointer},
    {"url", "string", kPointer},
};
constexpr FieldFacts kApiextensionsV1WebhookConversion[] = {
    {"clientConfig", "apiextensions.v1.WebhookClientConfig", kPointer},
    {"conversionReviewVersions", "[]string", kRequired | kWritten | kAtomic},
};
constexpr FieldFacts kApiregistrationV1APIService[] = {
    {"metadata", "meta.v1.ObjectMeta", kWritten},
    {"spec", "apiregistration.v1.APIServiceSpec", kWritten},
    {"status", "apiregistration.v1.APIServiceStatus", kWritten},
};
constexpr FieldFacts kApiregistrationV1APIServiceCondition[] = {
    {"lastTransitionTime", "time", kWritten},
    {"message", "string"},
    {"reason", "string"},
    {"status", "string", kRequired | kWritten},
    {"type", "string", kRequired | kWritten},
};
constexpr FieldFacts kApiregistrationV1APIServiceSpec[] = {
    {"caBundle", "bytes", kAtomic},
    {"group", "string"},
    {"groupPriorityMinimum", "int32", kRequired | kWritten},
    {"insecureSkipTLSVerify", "bool"},
    {"service", "apiregistration.v1.ServiceReference", kPointer},
    {"version", "string"},
    {"versionPriority", "int32", kRequired | kWritten},
};
constexpr FieldFacts kApiregistrationV1APIServiceStatus[] = {
    {"conditions", "[]apiregistration.v1.APIServiceCondition", kMap | kMerge, "type", "type"},
};
constexpr FieldFacts kApiregistrationV1ServiceReference[] = {
    {"name", "string"},
    {"namespace", "string"},
    {"port", "int32", kPointer},
};

constexpr StructFacts kStructs[] = {
    {"apiextensions.v1.ConversionRequest", kApiextensionsV1ConversionRequest},
    {"apiextensions.v1.ConversionResponse", kApiextensionsV1ConversionResponse},
    {"apiextensions.v1.ConversionReview", kApiextensionsV1ConversionReview, kTopLevel},
    {"apiextensions.v1.CustomResourceColumnDefinition",
     kApiextensionsV1CustomResourceColumnDefinition, 0, "name,type,jsonPath"},
    {"apiextensions.v1.CustomResourceConversion", kApiextensionsV1CustomResourceConversion},
    {"apiextensions.v1.CustomResourceDefinition", kApiextensionsV1CustomResourceDefinition,
     kTopLevel},
    {"apiextensions.v1.CustomResourceDefinitionCondition",
     kApiextensionsV1CustomResourceDefinitionCondition, 0, "type,status"},
    {"apiextensions.v1.CustomResourceDefinitionNames",
     kApiextensionsV1CustomResourceDefinitionNames, 0, "plural,kind"},
    {"apiextensions.v1.CustomResourceDefinitionSpec", kApiextensionsV1CustomResourceDefinitionSpec},
    {"apiextensions.v1.CustomResourceDefinitionStatus",
     kApiextensionsV1CustomResourceDefinitionStatus},
    {"apiextensions.v1.CustomResourceDefinitionVersion",
     kApiextensionsV1CustomResourceDefinitionVersion},
    {"apiextensions.v1.CustomResourceSubresourceScale",
     kApiextensionsV1CustomResourceSubresourceScale},
    {"apiextensions.v1.CustomResourceSubresources", kApiextensionsV1CustomResourceSubresources},
    {"apiextensions.v1.CustomResourceValidation", kApiextensionsV1CustomResourceValidation},
    {"apiextensions.v1.ExternalDocumentation", kApiextensionsV1ExternalDocumentation},
    {"apiextensions.v1.JSONSchemaProps", kApiextensionsV1JSONSchemaProps},
    {"apiextensions.v1.SelectableField", kApiextensionsV1SelectableField},
    {"apiextensions.v1.ServiceReference", kApiextensionsV1ServiceReference, 0, "namespace,name"},
    {"apiextensions.v1.ValidationRule", kApiextensionsV1ValidationRule},
    {"apiextensions.v1.WebhookClientConfig", kApiextensionsV1WebhookClientConfig},
    {"apiextensions.v1.WebhookConversion", kApiextensionsV1WebhookConversion},
    {"apiregistration.v1.APIService", kApiregistrationV1APIService, kTopLevel},
    {"apiregistration.v1.APIServiceCondition", kApiregistrationV1APIServiceCondition, 0,
     "type,status"},
    {"apiregistration.v1.APIServiceSpec", kApiregistrationV1APIServiceSpec},
    {"apiregistration.v1.APIServiceStatus", kApiregistrationV1APIServiceStatus},
    {"apiregistration.v1.ServiceReference", kApiregistrationV1ServiceReference},
};

}  // namespace

std::span<const StructFacts> DefinitionsFacts() { return kStructs; }

}  // namespace kueue::api::facts
