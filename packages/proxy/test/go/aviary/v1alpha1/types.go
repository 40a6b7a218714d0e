// Package v1alpha1 is the older version of the app's API: a size in words instead of a number of birds.
package v1alpha1

import (
	"fmt"
	"strconv"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-runtime/pkg/conversion"

	v1 "rookery.dev/proxy/test/app/v1"
)

var GroupVersion = schema.GroupVersion{Group: "aviary.example.com", Version: "v1alpha1"}

type Flock struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   FlockSpec      `json:"spec,omitempty"`
	Status v1.FlockStatus `json:"status,omitempty"`
}

type FlockSpec struct {
	// Size is "3 birds".
	Size string `json:"size,omitempty"`
}

func (f *Flock) ConvertTo(hub conversion.Hub) error {
	flock := hub.(*v1.Flock)
	flock.ObjectMeta = f.ObjectMeta
	flock.Status = f.Status
	if f.Spec.Size == "" {
		return nil
	}
	var birds int32
	if _, err := fmt.Sscanf(f.Spec.Size, "%d birds", &birds); err != nil {
		return fmt.Errorf("could not convert flock %s: its size %q is no number of birds", f.Name, f.Spec.Size)
	}
	flock.Spec.Birds = &birds
	return nil
}

func (f *Flock) ConvertFrom(hub conversion.Hub) error {
	flock := hub.(*v1.Flock)
	f.ObjectMeta = flock.ObjectMeta
	f.Status = flock.Status
	if flock.Spec.Birds != nil {
		f.Spec.Size = strconv.Itoa(int(*flock.Spec.Birds)) + " birds"
	}
	return nil
}

func (f *Flock) DeepCopyObject() runtime.Object {
	out := *f
	out.ObjectMeta = *f.ObjectMeta.DeepCopy()
	return &out
}

func AddToScheme(scheme *runtime.Scheme) error {
	scheme.AddKnownTypes(GroupVersion, &Flock{})
	metav1.AddToGroupVersion(scheme, GroupVersion)
	return nil
}
