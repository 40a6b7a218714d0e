//go:build tools

// Package tools pins the clusterctl that made the management cluster which is migrated.
package tools

import _ "sigs.k8s.io/cluster-api/cmd/clusterctl"
