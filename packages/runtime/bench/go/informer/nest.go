package main

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// What informer/nests.ts makes, as Go types.
var groupVersion = schema.GroupVersion{Group: "bench.rookery.dev", Version: "v1"}

type Reference struct {
	APIGroup string `json:"apiGroup"`
	Kind     string `json:"kind"`
	Name     string `json:"name"`
}

type Bootstrap struct {
	ConfigRef      Reference `json:"configRef"`
	DataSecretName string    `json:"dataSecretName"`
}

type NestSpec struct {
	ClusterName             string    `json:"clusterName"`
	Version                 string    `json:"version"`
	ProviderID              string    `json:"providerID"`
	FailureDomain           string    `json:"failureDomain"`
	Bootstrap               Bootstrap `json:"bootstrap"`
	InfrastructureRef       Reference `json:"infrastructureRef"`
	NodeDrainTimeoutSeconds int32     `json:"nodeDrainTimeoutSeconds"`
}

type Nest struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata"`
	Spec              NestSpec `json:"spec"`
}

func (n *Nest) DeepCopyObject() runtime.Object {
	copied := *n
	n.ObjectMeta.DeepCopyInto(&copied.ObjectMeta)
	return &copied
}

type NestList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata"`
	Items           []Nest `json:"items"`
}

func (l *NestList) DeepCopyObject() runtime.Object {
	copied := *l
	copied.Items = make([]Nest, 0, len(l.Items))
	for _, item := range l.Items {
		copied.Items = append(copied.Items, *item.DeepCopyObject().(*Nest))
	}
	return &copied
}

func addToScheme(scheme *runtime.Scheme) {
	scheme.AddKnownTypes(groupVersion, &Nest{}, &NestList{})
	metav1.AddToGroupVersion(scheme, groupVersion)
}
