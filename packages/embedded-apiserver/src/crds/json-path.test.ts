import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { parseJsonPath } from "./json-path.ts";

const object = {
  metadata: { name: "a", labels: { "example.com/tier": "gold", plain: "1" } },
  spec: { replicas: 3, list: [1, 2, 3], empty: [] },
  status: {
    conditions: [
      { type: "Ready", status: "True", since: 5 },
      { type: "Paused", status: "False" },
    ],
  },
};

describe("a path leads to", () => {
  const rows: Record<string, [string, unknown[]]> = {
    "a field": [".spec.replicas", [3]],
    "the object itself": [".", [object]],
    nothing: [".spec.missing.deeper", []],
    "a name with escaped dots": [".metadata.labels.example\\.com/tier", ["gold"]],
    "a name in quotes": [".metadata.labels['example.com/tier']", ["gold"]],
    "an item": [".spec.list[1]", [2]],
    "the last item": [".spec.list[-1]", [3]],
    "items from one to another": [".spec.list[0:2]", [1, 2]],
    "several items": [".spec.list[0,2]", [1, 3]],
    "no item beyond the end": [".spec.list[7]", []],
    "all items": [".spec.list[*]", [1, 2, 3]],
    "all fields": [".metadata.labels.*", ["gold", "1"]],
    "what a filter finds": ['.status.conditions[?(@.type=="Ready")].status', ["True"]],
    "what a filter in single quotes finds": [
      ".status.conditions[?(@.type=='Paused')].status",
      ["False"],
    ],
    "what a filter with another operator finds": [
      ".status.conditions[?(@.type!='Ready')].type",
      ["Paused"],
    ],
    "what is greater": [".status.conditions[?(@.since>4)].type", ["Ready"]],
    "what has a field": [".status.conditions[?(@.since)].type", ["Ready"]],
    "nothing by a filter that fits nothing": ['.status.conditions[?(@.type=="X")].status', []],
    "what lies anywhere below": ["..type", ["Ready", "Paused"]],
  };
  for (const [name, [path, found]] of Object.entries(rows)) {
    it(name, () => assert.deepEqual(parseJsonPath(path)?.find(object), found));
  }
});

describe("a path that can't be read", () => {
  for (const path of ["spec", ".spec[", ".spec[x]", ".a[?(]"]) {
    it(path, () => assert.equal(parseJsonPath(path), undefined));
  }
});
