import assert from "node:assert/strict";
import { test } from "node:test";
import { fieldPath } from "@rookery/kube";
import { roundUpResources } from "./quantities.ts";
import { resourceRequirements } from "./resource-requirements.ts";
import { check } from "./rules.ts";

const path = fieldPath("resources");
const cases: Readonly<Record<string, readonly [object, readonly string[]]>> = {
  "requests within limits are fine": [
    { limits: { cpu: "1", "example.com/gpu": "1" }, requests: { cpu: "1000m" } },
    [],
  ],
  "a request above its limit is shown": [
    { limits: { memory: "1Gi" }, requests: { memory: "2Gi" } },
    ['resources.requests: Invalid value: "2Gi": must be less than or equal to memory limit of 1Gi'],
  ],
  "an extended resource needs a limit": [
    { requests: { "example.com/gpu": "1" } },
    ["resources.limits: Required value: Limit must be set for non overcommitable resources"],
  ],
  "half an extended resource is none": [
    { limits: { "example.com/gpu": "500m" } },
    ['resources.limits[example.com/gpu]: Invalid value: "500m": must be an integer'],
  ],
  "huge pages come whole and with memory": [
    { limits: { "hugepages-2Mi": "3Mi" } },
    [
      'resources.limits[hugepages-2Mi]: Invalid value: "3Mi": 3Mi is not positive integer multiple of hugepages-2Mi',
      "resources: Forbidden: HugePages require cpu or memory",
    ],
  ],
  "a resource that no container has is told twice": [
    { limits: { cups: "1" } },
    [
      'resources.limits[cups]: Invalid value: "cups": must be a standard resource type or fully qualified',
      'resources.limits[cups]: Invalid value: "cups": must be a standard resource for containers',
    ],
  ],
  "a claim has to be one of the pod's": [
    { claims: [{ name: "a" }] },
    [
      'resources.claims[0]: Not found: "a": must be one of the names in pod.spec.resourceClaims which is empty',
    ],
  ],
};

for (const [name, [requirements, expected]] of Object.entries(cases)) {
  test(name, () => {
    assert.deepEqual(
      check(resourceRequirements(), requirements, { path, scope: { claims: [] } }).map(String),
      expected,
    );
  });
}

test("amounts are rounded up to thousandths", () => {
  const list = { cpu: "1u", memory: "1Gi", "example.com/a": 3 };
  roundUpResources(list);
  assert.deepEqual(list, { cpu: "1m", memory: "1Gi", "example.com/a": "3" });
});
