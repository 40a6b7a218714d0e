import assert from "node:assert/strict";
import { describe, it, test } from "node:test";
import type { KubeObject } from "@rookery/kube";
import { ComponentError } from "../errors.ts";
import { applyPatches } from "./apply-patches.ts";

const deployment: KubeObject = {
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: { name: "blue-apiserver", namespace: "team", labels: { a: "1" } },
  spec: {
    selector: { matchLabels: { a: "1" } },
    template: {
      spec: { containers: [{ name: "apiserver", image: "one", env: [{ name: "A", value: "1" }] }] },
    },
  },
};
const budget: KubeObject = {
  apiVersion: "policy/v1",
  kind: "PodDisruptionBudget",
  metadata: { name: "blue-apiserver", namespace: "team" },
  spec: { maxUnavailable: 1 },
};
const target = { apiVersion: "apps/v1", kind: "Deployment" };

test("a patch is merged into the object that it means, by the keys of its lists", () => {
  const container = { name: "apiserver", env: [{ name: "B", value: "2" }] };
  const sidecar = { name: "sidecar", image: "two" };
  const patch = { ...target, spec: { template: { spec: { containers: [container, sidecar] } } } };
  const [patched, same] = applyPatches([deployment, budget], [patch]);
  assert.equal(same, budget);
  assert.deepEqual((patched as typeof deployment & { spec: { template: object } }).spec.template, {
    spec: {
      containers: [
        {
          name: "apiserver",
          image: "one",
          env: [
            { name: "B", value: "2" },
            { name: "A", value: "1" },
          ],
        },
        sidecar,
      ],
    },
  });
});

test("later patches see what earlier ones have done, and the original stays as it was", () => {
  const before = JSON.stringify(deployment);
  const patches = [
    { ...target, metadata: { name: "blue-apiserver", labels: { b: "1" } } },
    { ...target, metadata: { labels: { b: null, c: "1" } } },
  ];
  const [patched] = applyPatches([deployment], patches);
  assert.deepEqual(patched?.metadata.labels, { a: "1", c: "1" });
  assert.equal(JSON.stringify(deployment), before);
});

describe("a patch is refused", () => {
  const rows: Record<string, [patch: object, why: RegExp]> = {
    "where it fits no object": [
      { apiVersion: "v1", kind: "Deployment" },
      /patches\[0\] \(Deployment\): it fits none .*apps\/v1 Deployment blue-apiserver/,
    ],
    "where it names another object": [
      { ...target, metadata: { name: "green" } },
      /it fits none of the component's objects/,
    ],
    "where it would move the object": [
      { ...target, metadata: { namespace: "other" } },
      /would change metadata\.namespace/,
    ],
    "where it would give the object away": [
      { ...target, metadata: { ownerReferences: [{ uid: "1" }] } },
      /would change metadata\.ownerReferences/,
    ],
    "where it would select other pods": [
      { ...target, spec: { selector: { matchLabels: { a: "2" } } } },
      /would change spec\.selector/,
    ],
    "where it is no strategic merge patch": [
      { ...target, spec: { template: { spec: { containers: [{ image: "x" }] } } } },
      /does not contain declared merge key: name/,
    ],
  };
  for (const [name, [patch, why]] of Object.entries(rows)) {
    it(name, () => {
      assert.throws(
        () => applyPatches([deployment, budget], [patch as never]),
        (error) =>
          error instanceof ComponentError &&
          error.reason === "PatchRefused" &&
          why.test(error.message),
      );
    });
  }
});
