package main

import (
	"context"
	"fmt"

	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"

	v1 "rookery.dev/proxy/test/app/v1"
)

type flockWebhook struct{}

// Default gives a flock that says nothing two birds.
func (flockWebhook) Default(_ context.Context, object runtime.Object) error {
	flock := object.(*v1.Flock)
	if flock.Spec.Birds == nil {
		birds := int32(2)
		flock.Spec.Birds = &birds
	}
	return nil
}

func (flockWebhook) ValidateCreate(_ context.Context, object runtime.Object) (admission.Warnings, error) {
	return validate(object.(*v1.Flock))
}

func (flockWebhook) ValidateUpdate(_ context.Context, _, object runtime.Object) (admission.Warnings, error) {
	return validate(object.(*v1.Flock))
}

func (flockWebhook) ValidateDelete(context.Context, runtime.Object) (admission.Warnings, error) {
	return nil, nil
}

func validate(flock *v1.Flock) (admission.Warnings, error) {
	if flock.Spec.Birds != nil && *flock.Spec.Birds > 12 {
		return nil, fmt.Errorf("no flock of %s has more than 12 birds", flock.GroupVersionKind().GroupVersion())
	}
	return nil, nil
}
