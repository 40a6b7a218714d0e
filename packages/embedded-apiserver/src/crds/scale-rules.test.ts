import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { KubeObject } from "@rookery/kube";
import { scaleRulesOf, validateScale } from "./scale-rules.ts";

const scale = {
  specReplicasPath: ".spec.size",
  statusReplicasPath: ".status.size",
  labelSelectorPath: ".status.selector",
};
const object = (rest: object) =>
  ({ apiVersion: "v1", kind: "X", metadata: {}, ...rest }) as KubeObject;

describe("the scale of an object is refused where", () => {
  const accessor = (path: string, value: string, expected: string) =>
    `${path} accessor error: ${value}, expected ${expected}`;
  const rows: Record<string, [object, string[]]> = {
    "nothing is wrong": [{ spec: { size: 1 }, status: { size: 0, selector: "a=b" } }, []],
    "nothing is there": [{}, []],
    "there are less than none": [
      { spec: { size: -1 } },
      [".spec.size: Invalid value: -1: should be a non-negative integer"],
    ],
    "there are too many": [
      { spec: { size: 2 ** 31 } },
      [".spec.size: Invalid value: 2147483648: should be less than or equal to 2147483647"],
    ],
    "they are a text": [
      { spec: { size: "1" } },
      [
        `.spec.size: Invalid value: 0: ${accessor(".spec.size", "1 is of the type string", "int64")}`,
      ],
    ],
    "the status is no object": [
      { status: 3 },
      [
        `.status.size: Invalid value: 0: ${accessor(".status.size", "3 is of the type int64", "map[string]interface{}")}`,
        `.status.selector: Invalid value: "": ${accessor(".status.selector", "3 is of the type int64", "map[string]interface{}")}`,
      ],
    ],
  };
  for (const [name, [rest, problems]] of Object.entries(rows)) {
    it(name, () => assert.deepEqual(validateScale(object(rest), scale).map(String), problems));
  }
});

it("replicas are set where there were none", () => {
  const scaled = object({});
  scaleRulesOf(scale).setReplicas(scaled, 3);
  assert.deepEqual(scaled.spec, { size: 3 });
});
