package main

import (
	"regexp"
	"strings"
)

const (
	virtualSuffix = "pinniped.dev"
	realSuffix    = "team1.example.com"
)

// swapGroup names a group as the other side does.
func swapGroup(group string) string {
	if head, ok := strings.CutSuffix(group, "."+virtualSuffix); ok {
		return head + "." + realSuffix
	}
	if head, ok := strings.CutSuffix(group, "."+realSuffix); ok {
		return head + "." + virtualSuffix
	}
	return group
}

func swapAPIVersion(apiVersion string) string {
	group, version, ok := strings.Cut(apiVersion, "/")
	if !ok {
		return apiVersion
	}
	return swapGroup(group) + "/" + version
}

// swapQualified renames what follows the first dot: "crontabs.<group>", "v1.<group>".
func swapQualified(name string) string {
	head, group, ok := strings.Cut(name, ".")
	if !ok {
		return name
	}
	return head + "." + swapGroup(group)
}

// swapGroupResource renames what comes before the last dot: "<group>.crontabs".
func swapGroupResource(name string) string {
	dot := strings.LastIndex(name, ".")
	if dot < 0 {
		return name
	}
	return swapGroup(name[:dot]) + name[dot:]
}

func swapPath(path string) string {
	segments := strings.Split(path, "/")
	for i, segment := range segments {
		if i > 0 && segments[i-1] == "apis" {
			segments[i] = swapGroup(segment)
		}
	}
	return strings.Join(segments, "/")
}

var token = regexp.MustCompile(`[A-Za-z0-9.-]+`)

func swapMessage(message string) string {
	return token.ReplaceAllStringFunc(message, swapGroup)
}

var lastAppliedVersion = regexp.MustCompile(`"apiVersion":"[^"]*"`)

func swapLastApplied(text string) string {
	return lastAppliedVersion.ReplaceAllStringFunc(text, func(field string) string {
		value := strings.TrimSuffix(strings.TrimPrefix(field, `"apiVersion":"`), `"`)
		return `"apiVersion":"` + swapAPIVersion(value) + `"`
	})
}
