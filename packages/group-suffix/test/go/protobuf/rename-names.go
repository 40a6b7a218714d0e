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
		named.Name = swapNameOf(named.Name, named.APIVersion, named.Kind)
	case *corev1.ObjectReference:
		named.Name = swapNameOf(named.Name, named.APIVersion, named.Kind)
	case *metav1.StatusDetails:
		named.Name = swapNameOf(named.Name, named.Group, named.Kind)
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
	case "APIGroupDiscovery":
		name := v.FieldByName("ObjectMeta").FieldByName("Name")
		name.SetString(swapGroup(name.String()))
	case "ResourceAttributes":
		name := v.FieldByName("Name")
		name.SetString(swapNameOf(name.String(), v.FieldByName("Group").String(), v.FieldByName("Resource").String()))
	case "PolicyRule", "ResourceRule":
		if names := v.FieldByName("ResourceNames"); names.IsValid() {
			renameResourceNames(names, v)
		}
	case "NamedRuleWithOperations":
		renameResourceNames(v.FieldByName("ResourceNames"), v)
	}
}

// swapNameOf renames the name of a CRD or an APIService, told by its group and its kind or resource.
func swapNameOf(name, groupOrVersion, kind string) string {
	group, _, _ := strings.Cut(groupOrVersion, "/")
	switch {
	case group == crdGroup && (kind == "CustomResourceDefinition" || kind == "customresourcedefinitions"),
		group == apiServiceGroup && (kind == "APIService" || kind == "apiservices"):
		return swapQualified(name)
	}
	return name
}

func renameResourceNames(names, rule reflect.Value) {
	groups := rule.FieldByName("APIGroups").Interface().([]string)
	if slices.Contains(groups, crdGroup) || slices.Contains(groups, apiServiceGroup) {
		renameStrings(names, swapQualified)
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
