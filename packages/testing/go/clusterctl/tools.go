//go:build tools

// Package tools pins the clusterctl that looks at, and moves, what tests have made.
package tools

import _ "sigs.k8s.io/cluster-api/cmd/clusterctl"
