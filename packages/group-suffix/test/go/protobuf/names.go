package main

import (
	"maps"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	apiserverinternalv1alpha1 "k8s.io/api/apiserverinternal/v1alpha1"
	authorizationv1 "k8s.io/api/authorization/v1"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	apiregistrationv1 "k8s.io/kube-aggregator/pkg/apis/apiregistration/v1"
)

const (
	crdGroup        = apiextensionsv1.GroupName
	apiServiceGroup = apiregistrationv1.GroupName
	lastApplied     = corev1.LastAppliedConfigAnnotation
)

// fillNamed gives some structs what only makes sense together.
func (f *filler) fillNamed(object any) {
	one := f.Intn(4)
	switch named := object.(type) {
	case *metav1.ObjectMeta:
		if one == 0 {
			named.Annotations = maps.Clone(named.Annotations)
			if named.Annotations == nil {
				named.Annotations = map[string]string{}
			}
			named.Annotations[lastApplied] = string(f.object()) + "\n"
		}
	case *metav1.OwnerReference:
		if one == 0 {
			named.APIVersion, named.Kind, named.Name = crdGroup+"/v1", "CustomResourceDefinition", "nests."+f.group()
		} else if one == 1 {
			named.APIVersion, named.Kind, named.Name = apiServiceGroup+"/v1", "APIService", "v1."+f.group()
		}
	case *corev1.ObjectReference:
		if one == 0 {
			named.APIVersion, named.Kind, named.Name = crdGroup+"/v1", "CustomResourceDefinition", "nests."+f.group()
		}
	case *metav1.StatusDetails:
		if one == 0 {
			named.Group, named.Kind, named.Name = crdGroup, "customresourcedefinitions", "nests."+f.group()
		}
	case *authorizationv1.ResourceAttributes:
		if one == 0 {
			named.Group, named.Resource, named.Name = crdGroup, "customresourcedefinitions", "nests."+f.group()
		}
	case *apiserverinternalv1alpha1.StorageVersion:
		named.Name = f.group() + ".nests"
	case *rbacv1.PolicyRule:
		if one == 0 {
			named.APIGroups = append(named.APIGroups, crdGroup)
			named.Resources = append(named.Resources, "customresourcedefinitions")
		}
	case *authorizationv1.ResourceRule:
		if one == 0 {
			named.Resources = append(named.Resources, "apiservices")
		}
	case *admissionregistrationv1.Rule:
		if one == 0 {
			named.Resources = append(named.Resources, "customresourcedefinitions")
		}
	}
}
