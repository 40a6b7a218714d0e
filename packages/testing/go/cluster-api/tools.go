//go:build tools

// Package tools pins the Cluster API whose CRDs and managers the tests run against.
package tools

import _ "sigs.k8s.io/cluster-api"
