//go:build tools

// Package tools pins the kustomize that renders the components of Cluster API.
package tools

import _ "sigs.k8s.io/kustomize/kustomize/v5"
