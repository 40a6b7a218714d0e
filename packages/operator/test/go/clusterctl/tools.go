//go:build tools

// Package tools pins the clusterctl that looks at what the operator has installed.
package tools

import _ "sigs.k8s.io/cluster-api/cmd/clusterctl"
