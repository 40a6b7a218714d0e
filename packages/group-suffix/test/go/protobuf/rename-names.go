package main

import (
	"reflect"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// renameNames renames names that hold a group: of CRDs, of APIServices, of what a quota counts. It looks
// at a struct before its other fields change.
func renameNames(v reflect.Value) {
	switch named := v.Addr().Interface().(type) {
	case *metav1.ObjectMeta:
		if text, ok := named.Annotations[lastApplied]; ok {
			named.Annotations[lastApplied] = swapLastApplied(text)
		}
	case *metav1.OwnerReference:
		named.Name = swapNameOf(named.Name, named.Kind)
	case *corev1.ObjectReference:
		named.Name = swapNameOf(named.Name, named.Kind)
	case *metav1.StatusDetails:
		named.Name = swapNameOf(named.Name, named.Kind)
	case *corev1.ResourceQuotaSpec:
		named.Hard = swapCounts(named.Hard)
	case *corev1.ResourceQuotaStatus:
		named.Hard = swapCounts(named.Hard)
		named.Used = swapCounts(named.Used)
	}
	switch v.Type().Name() {
	case "CustomResourceDefinition", "APIService":
		name := v.FieldByName("ObjectMeta").FieldByName("Name")
		name.SetString(swapQualified(name.String()))
	case "StorageVersion":
		name := v.FieldByName("ObjectMeta").FieldByName("Name")
		name.SetString(swapGroupResource(name.String()))
	case "APIGroupDiscovery":
		name := v.FieldByName("ObjectMeta").FieldByName("Name")
		name.SetString(swapGroup(name.String()))
	case "ResourceAttributes":
		name := v.FieldByName("Name")
		name.SetString(swapNameOf(name.String(), v.FieldByName("Resource").String()))
	case "PolicyRule", "ResourceRule", "NamedRuleWithOperations":
		renameResourceNames(v)
	}
}

// Objects of these are named after groups.
var namedAfterGroups = []string{"CustomResourceDefinition", "customresourcedefinitions", "APIService", "apiservices"}

// swapNameOf renames the name of an object whose kind or resource says that it holds a group.
func swapNameOf(name, kind string) string {
	if slices.Contains(namedAfterGroups, kind) {
		return swapQualified(name)
	}
	return name
}

func renameResourceNames(rule reflect.Value) {
	for _, resource := range rule.FieldByName("Resources").Interface().([]string) {
		if slices.Contains(namedAfterGroups, resource) {
			renameStrings(rule.FieldByName("ResourceNames"), swapQualified)
			return
		}
	}
}

func swapCounts(counts corev1.ResourceList) corev1.ResourceList {
	if counts == nil {
		return nil
	}
	renamed := corev1.ResourceList{}
	for name, quantity := range counts {
		if resource, ok := strings.CutPrefix(string(name), "count/"); ok {
			name = corev1.ResourceName("count/" + swapQualified(resource))
		}
		renamed[name] = quantity
	}
	return renamed
}
