//go:build tools

// Package tools pins the operator that ours is measured beside.
package tools

import _ "sigs.k8s.io/cluster-api-operator/cmd"
