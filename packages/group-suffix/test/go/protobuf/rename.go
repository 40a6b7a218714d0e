package main

import (
	"reflect"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// What a struct's fields name, by the struct's type and the field: the same in all versions.
var fieldForms = map[string]map[string]func(string) string{
	"OwnerReference":                  {"APIVersion": swapAPIVersion},
	"ObjectReference":                 {"APIVersion": swapAPIVersion},
	"ManagedFieldsEntry":              {"APIVersion": swapAPIVersion},
	"CrossVersionObjectReference":     {"APIVersion": swapAPIVersion},
	"ParamKind":                       {"APIVersion": swapAPIVersion},
	"TypedLocalObjectReference":       {"APIGroup": swapGroup},
	"TypedObjectReference":            {"APIGroup": swapGroup},
	"IngressClassParametersReference": {"APIGroup": swapGroup},
	"ResourceClaimConsumerReference":  {"APIGroup": swapGroup},
	"ParentReference":                 {"Group": swapGroup},
	"PolicyRule":                      {"APIGroups": swapGroup, "NonResourceURLs": swapPath},
	"ResourceRule":                    {"APIGroups": swapGroup},
	"NonResourceRule":                 {"NonResourceURLs": swapPath},
	"ResourceAttributes":              {"Group": swapGroup},
	"NonResourceAttributes":           {"Path": swapPath},
	"ResourcePolicyRule":              {"APIGroups": swapGroup},
	"NonResourcePolicyRule":           {"NonResourceURLs": swapPath},
	"Rule":                            {"APIGroups": swapGroup},
	"CustomResourceDefinitionSpec":    {"Group": swapGroup},
	"APIServiceSpec":                  {"Group": swapGroup},
	"GroupVersionKind":                {"Group": swapGroup},
	"GroupVersionResource":            {"Group": swapGroup},
	"APIGroup":                        {"Name": swapGroup},
	"GroupVersionForDiscovery":        {"GroupVersion": swapAPIVersion},
	"APIResourceList":                 {"GroupVersion": swapAPIVersion},
	"APIResource":                     {"Group": swapGroup},
	"Status":                          {"Message": swapMessage},
	"StatusDetails":                   {"Group": swapGroup},
	"StatusCause":                     {"Message": swapMessage},
	"ServerStorageVersion":            {"EncodingVersion": swapAPIVersion, "DecodableVersions": swapAPIVersion, "ServedVersions": swapAPIVersion},
	"StorageVersionStatus":            {"CommonEncodingVersion": swapAPIVersion},
}

// These references are to built-in kinds only.
var builtInReferences = []string{"ClaimRef", "Active", "Secrets", "SecretRef", "Target", "Reference"}

// The metadata of these becomes labels and annotations of something else, and no more. An embedded object is
// data of who wrote it, but for the items of a list.
var opaque = map[string][]string{
	"PodTemplateSpec":               {"ObjectMeta"},
	"JobTemplateSpec":               {"ObjectMeta"},
	"PersistentVolumeClaimTemplate": {"ObjectMeta"},
	"ResourceClaimTemplateSpec":     {"ObjectMeta"},
	"ControllerRevision":            {"Data"},
	"OpaqueDeviceConfiguration":     {"Parameters"},
	"AllocatedDeviceStatus":         {"Data"},
}

// renameTyped renames an object by the names of its fields: what the walker does by their numbers.
func renameTyped(object runtime.Object) {
	visit(reflect.ValueOf(object).Elem())
}

func visit(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			visit(v.Elem())
		}
	case reflect.Slice:
		for i := range v.Len() {
			visit(v.Index(i))
		}
	case reflect.Struct:
		visitStruct(v)
	}
}

func visitStruct(v reflect.Value) {
	if raw, ok := v.Addr().Interface().(*runtime.RawExtension); ok {
		raw.Raw = []byte(swapLastApplied(string(raw.Raw)))
		return
	}
	renameNames(v)
	forms := fieldForms[v.Type().Name()]
	for i := range v.NumField() {
		field := v.Type().Field(i)
		if !field.IsExported() || slices.Contains(opaque[v.Type().Name()], field.Name) ||
			(isReference(field.Type) && slices.Contains(builtInReferences, field.Name)) {
			continue
		}
		if form, ok := forms[field.Name]; ok {
			renameStrings(v.Field(i), form)
		} else {
			visit(v.Field(i))
		}
	}
}

func isReference(t reflect.Type) bool {
	for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice {
		t = t.Elem()
	}
	return t == reflect.TypeFor[corev1.ObjectReference]()
}

func renameStrings(v reflect.Value, form func(string) string) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			renameStrings(v.Elem(), form)
		}
	case reflect.Slice:
		for i := range v.Len() {
			renameStrings(v.Index(i), form)
		}
	case reflect.String:
		v.SetString(form(v.String()))
	}
}
