package main

import (
	admission "k8s.io/api/admission/v1"
	admissionregistration "k8s.io/api/admissionregistration/v1"
	apps "k8s.io/api/apps/v1"
	authentication "k8s.io/api/authentication/v1"
	authorization "k8s.io/api/authorization/v1"
	autoscaling "k8s.io/api/autoscaling/v1"
	batch "k8s.io/api/batch/v1"
	certificates "k8s.io/api/certificates/v1"
	coordination "k8s.io/api/coordination/v1"
	core "k8s.io/api/core/v1"
	discovery "k8s.io/api/discovery/v1"
	events "k8s.io/api/events/v1"
	networking "k8s.io/api/networking/v1"
	policy "k8s.io/api/policy/v1"
	rbac "k8s.io/api/rbac/v1"
	scheduling "k8s.io/api/scheduling/v1"
	storage "k8s.io/api/storage/v1"
	apiextensions "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/runtime"
	apiregistration "k8s.io/kube-aggregator/pkg/apis/apiregistration/v1"
)

var adders = []func(*runtime.Scheme) error{
	admission.AddToScheme, admissionregistration.AddToScheme, apiextensions.AddToScheme,
	apiregistration.AddToScheme, apps.AddToScheme, authentication.AddToScheme,
	authorization.AddToScheme, autoscaling.AddToScheme, batch.AddToScheme,
	certificates.AddToScheme, coordination.AddToScheme, core.AddToScheme, discovery.AddToScheme,
	events.AddToScheme, networking.AddToScheme, policy.AddToScheme, rbac.AddToScheme,
	scheduling.AddToScheme, storage.AddToScheme,
}

func newScheme() (*runtime.Scheme, error) {
	scheme := runtime.NewScheme()
	for _, add := range adders {
		if err := add(scheme); err != nil {
			return nil, err
		}
	}
	return scheme, nil
}
