//go:build tools

// Package tools pins the Kubernetes binaries that upgrades in the tests start from.
package tools

import (
	_ "k8s.io/kubernetes/cmd/kube-apiserver"
	_ "k8s.io/kubernetes/cmd/kube-controller-manager"
)
