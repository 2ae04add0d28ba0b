// Prints, as JSON, how Kubernetes' own types are written as JSON: what an OpenAPI document does not
// tell. For every struct, by its OpenAPI name, and every field, by its JSON name: "type" ([] is a
// list, {} a map, * a pointer, for which absent and zero differ), "written" (present even when zero).
package main

import (
	"encoding/json"
	"os"
	"reflect"
	"strings"

	admission "k8s.io/api/admission/v1"
	admissionregistration "k8s.io/api/admissionregistration/v1"
	apps "k8s.io/api/apps/v1"
	authentication "k8s.io/api/authentication/v1"
	authorization "k8s.io/api/authorization/v1"
	autoscaling "k8s.io/api/autoscaling/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	batch "k8s.io/api/batch/v1"
	certificates "k8s.io/api/certificates/v1"
	coordination "k8s.io/api/coordination/v1"
	core "k8s.io/api/core/v1"
	discovery "k8s.io/api/discovery/v1"
	events "k8s.io/api/events/v1"
	flowcontrol "k8s.io/api/flowcontrol/v1"
	networking "k8s.io/api/networking/v1"
	node "k8s.io/api/node/v1"
	policy "k8s.io/api/policy/v1"
	rbac "k8s.io/api/rbac/v1"
	resource "k8s.io/api/resource/v1"
	scheduling "k8s.io/api/scheduling/v1"
	storage "k8s.io/api/storage/v1"
	apiextensions "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/runtime"
	apiregistration "k8s.io/kube-aggregator/pkg/apis/apiregistration/v1"
)

type field struct {
	Type    string `json:"type"`
	Written bool   `json:"written,omitempty"`
}

// "k8s.io/api/core/v1".Pod -> "io.k8s.api.core.v1.Pod"
func openAPIName(t reflect.Type) string {
	path := strings.Split(t.PkgPath(), "/")
	path[0] = "io.k8s"
	return strings.Join(path, ".") + "." + t.Name()
}

// Types that are values of their own in JSON.
func isLeaf(t reflect.Type) bool {
	switch t.Name() {
	case "Time", "MicroTime", "Duration", "Quantity", "IntOrString", "FieldsV1", "RawExtension", "JSON",
		"JSONSchemaPropsOrArray", "JSONSchemaPropsOrBool", "JSONSchemaPropsOrStringArray":
		return true
	}
	return false
}

func inside(t reflect.Type) reflect.Type {
	for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice || t.Kind() == reflect.Map {
		t = t.Elem()
	}
	return t
}

func typeText(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Pointer:
		return "*" + typeText(t.Elem())
	case reflect.Slice:
		if t.Elem().Kind() == reflect.Uint8 {
			return "bytes"
		}
		return "[]" + typeText(t.Elem())
	case reflect.Map:
		return "{}" + typeText(t.Elem())
	case reflect.Struct:
		return openAPIName(t)
	}
	return t.Kind().String()
}

func collect(t reflect.Type, fields map[string]field, found map[string]map[string]field) {
	for i := 0; i < t.NumField(); i++ {
		f := t.Field(i)
		parts := strings.Split(f.Tag.Get("json"), ",")
		options := strings.Join(parts[1:], ",")
		if parts[0] == "" && (f.Anonymous || strings.Contains(options, "inline")) {
			collect(f.Type, fields, found)
			continue
		}
		if parts[0] == "-" || parts[0] == "" {
			continue
		}
		// encoding/json never leaves out a struct for omitempty.
		empty := strings.Contains(options, "omitzero") ||
			(strings.Contains(options, "omitempty") && f.Type.Kind() != reflect.Struct)
		fields[parts[0]] = field{
			Type:    typeText(f.Type),
			Written: !empty,
		}
		visit(inside(f.Type), found)
	}
}

func visit(t reflect.Type, found map[string]map[string]field) {
	if t.Kind() != reflect.Struct || isLeaf(t) {
		return
	}
	name := openAPIName(t)
	if found[name] != nil {
		return
	}
	fields := map[string]field{}
	found[name] = fields
	collect(t, fields, found)
}

func main() {
	scheme := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{
		admission.AddToScheme, admissionregistration.AddToScheme, apps.AddToScheme,
		authentication.AddToScheme, authorization.AddToScheme, autoscaling.AddToScheme,
		autoscalingv2.AddToScheme, batch.AddToScheme, certificates.AddToScheme,
		coordination.AddToScheme, core.AddToScheme, discovery.AddToScheme, events.AddToScheme,
		flowcontrol.AddToScheme, networking.AddToScheme, node.AddToScheme, policy.AddToScheme,
		rbac.AddToScheme, resource.AddToScheme, scheduling.AddToScheme, storage.AddToScheme,
		apiextensions.AddToScheme, apiregistration.AddToScheme,
	} {
		if err := add(scheme); err != nil {
			panic(err)
		}
	}
	found := map[string]map[string]field{}
	for _, t := range scheme.AllKnownTypes() {
		visit(t, found)
	}
	out := json.NewEncoder(os.Stdout)
	out.SetIndent("", " ")
	if err := out.Encode(found); err != nil {
		panic(err)
	}
}
