// Package v1 is the storage version of the app's API.
package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

var GroupVersion = schema.GroupVersion{Group: "aviary.example.com", Version: "v1"}

// Flock has as many birds as it says: one ConfigMap each.
type Flock struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   FlockSpec   `json:"spec,omitempty"`
	Status FlockStatus `json:"status,omitempty"`
}

type FlockSpec struct {
	Birds *int32 `json:"birds,omitempty"`
}

type FlockStatus struct {
	Birds int32 `json:"birds"`
	// By is the instance that counted.
	By string `json:"by,omitempty"`
	// Seen is how many flocks that instance sees in all namespaces.
	Seen int32 `json:"seen"`
}

type FlockList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []Flock `json:"items"`
}

// Hub makes this the version that others are converted to.
func (*Flock) Hub() {}

func (f *Flock) DeepCopyObject() runtime.Object {
	out := *f
	out.ObjectMeta = *f.ObjectMeta.DeepCopy()
	if f.Spec.Birds != nil {
		birds := *f.Spec.Birds
		out.Spec.Birds = &birds
	}
	return &out
}

func (l *FlockList) DeepCopyObject() runtime.Object {
	out := *l
	out.ListMeta = *l.ListMeta.DeepCopy()
	out.Items = make([]Flock, len(l.Items))
	for i := range l.Items {
		out.Items[i] = *l.Items[i].DeepCopyObject().(*Flock)
	}
	return &out
}

func AddToScheme(scheme *runtime.Scheme) error {
	scheme.AddKnownTypes(GroupVersion, &Flock{}, &FlockList{})
	metav1.AddToGroupVersion(scheme, GroupVersion)
	return nil
}
