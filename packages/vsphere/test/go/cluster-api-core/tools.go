//go:build tools

// Package tools pins the unmodified core of Cluster API that the tests let drive the provider.
package tools

import _ "sigs.k8s.io/cluster-api"
