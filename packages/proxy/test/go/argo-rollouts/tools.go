//go:build tools

// Package tools pins the unmodified operator that the tests run twice in one cluster.
package tools

import _ "github.com/argoproj/argo-rollouts/cmd/rollouts-controller"
