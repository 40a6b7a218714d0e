import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { NodeSelectorRequirement, PodSpec, Taint } from "@rookery/api";
import type { DaemonSet, Node } from "../shared/objects.ts";
import { placementOf, templateFor } from "./daemon-pods.ts";

const set = (spec: PodSpec): DaemonSet => ({
  apiVersion: "apps/v1",
  kind: "DaemonSet",
  metadata: { name: "agent", annotations: { "deprecated.daemonset.template.generation": "4" } },
  spec: { template: { metadata: { labels: { app: "agent" } }, spec } },
  status: {},
});

const node = (
  taints: Taint[] = [],
  labels: Record<string, string> = { disk: "ssd", cpu: "8" },
): Node => ({
  apiVersion: "v1",
  kind: "Node",
  metadata: { name: "one", labels },
  spec: { taints },
  status: {},
});

const affine = (...matchExpressions: NodeSelectorRequirement[]): PodSpec => {
  const required = { nodeSelectorTerms: [{ matchExpressions }] };
  return {
    affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: required } },
  };
};

const taint = (key: string, effect: string): Taint => ({ key, effect, value: "x" });
const everything = { shouldRun: true, mayContinue: true };
const nothing = { shouldRun: false, mayContinue: false };

const rows: Readonly<Record<string, readonly [PodSpec, Node, typeof everything]>> = {
  "any node": [{}, node(), everything],
  "a node by its labels": [{ nodeSelector: { disk: "ssd" } }, node(), everything],
  "no node with other labels": [{ nodeSelector: { disk: "hdd" } }, node(), nothing],
  "a node by its name": [{ nodeName: "one" }, node(), everything],
  "no node with another name": [{ nodeName: "two" }, node(), nothing],
  "a node by an expression": [
    affine(
      { key: "disk", operator: "In", values: ["ssd"] },
      { key: "cpu", operator: "Gt", values: ["4"] },
    ),
    node(),
    everything,
  ],
  "no node without the label of an expression": [
    affine({ key: "gpu", operator: "Exists" }),
    node(),
    nothing,
  ],
  "a node without the label of a negative one": [
    affine({ key: "gpu", operator: "NotIn", values: ["old"] }),
    node(),
    everything,
  ],
  "none by a term that says nothing": [affine(), node(), nothing],
  "a node that is unwell": [
    {},
    node([taint("node.kubernetes.io/disk-pressure", "NoSchedule")]),
    everything,
  ],
  "no node with a taint, where what runs may stay": [
    {},
    node([taint("own", "NoSchedule")]),
    { shouldRun: false, mayContinue: true },
  ],
  "no node with a taint that drives away": [{}, node([taint("own", "NoExecute")]), nothing],
  "a node with a taint that is tolerated": [
    { tolerations: [{ key: "own", operator: "Equal", value: "x" }] },
    node([taint("own", "NoExecute")]),
    everything,
  ],
  "no node with a taint of another value": [
    { tolerations: [{ key: "own", value: "y" }] },
    node([taint("own", "NoExecute")]),
    nothing,
  ],
  "a node whatever taints it has": [
    { tolerations: [{ operator: "Exists" }] },
    node([taint("own", "NoExecute")]),
    everything,
  ],
  "no heed to a taint that only asks": [{}, node([taint("own", "PreferNoSchedule")]), everything],
};

describe("a DaemonSet wants", () => {
  for (const [name, [spec, target, expected]] of Object.entries(rows)) {
    it(name, () => assert.deepEqual(placementOf(set(spec), target), expected));
  }
});

it("the pod for a node is bound to it, and takes the place of other affinities", () => {
  const { metadata, spec } = templateFor(
    set(affine({ key: "disk", operator: "Exists" })),
    "one",
    "h",
  );
  assert.deepEqual(metadata?.labels, {
    app: "agent",
    "pod-template-generation": "4",
    "controller-revision-hash": "h",
  });
  assert.deepEqual(spec?.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution, {
    nodeSelectorTerms: [
      { matchFields: [{ key: "metadata.name", operator: "In", values: ["one"] }] },
    ],
  });
  assert.equal(spec?.tolerations?.length, 6);
});
