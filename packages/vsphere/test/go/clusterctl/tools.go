//go:build tools

// Package tools pins the clusterctl that moves clusters in the tests.
package tools

import _ "sigs.k8s.io/cluster-api/cmd/clusterctl"
