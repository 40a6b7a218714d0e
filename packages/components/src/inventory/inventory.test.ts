import assert from "node:assert/strict";
import { test } from "node:test";
import { providerComponents } from "../../test/render/components.ts";
import type { Component } from "../documents/documents.ts";
import { renderComponents } from "../render/render.ts";
import {
  componentKeyOf,
  contentHash,
  formatComponentKey,
  type InventoryEntry,
  inventoryOf,
} from "./inventory.ts";
import { diffInventories, planDeletion, planUpgrade } from "./plan.ts";

const provider = { kind: "CoreProvider", name: "cluster-api" } as const;
const rendered = (components: readonly Component[], replicas = 1) =>
  renderComponents({ provider, version: "v1.13.6", components, spec: { deployment: { replicas } } })
    .components;
const kinds = (entries: readonly InventoryEntry[]) => entries.map(({ kind }) => kind);

const installed = inventoryOf(rendered(providerComponents()));

test("an inventory names every object with its stage and a hash", () => {
  const entry = installed.entries.find(({ kind }) => kind === "Deployment");
  assert.match(entry?.hash ?? "", /^[0-9a-f]{64}$/);
  assert.deepEqual(
    { ...entry, hash: "" },
    {
      group: "apps",
      version: "v1",
      kind: "Deployment",
      namespace: "capi-system",
      name: "controller-manager",
      stage: "workloads",
      hash: "",
    },
  );
});

test("the hash does not depend on the order of fields or objects, but on every value", () => {
  const components = rendered(providerComponents());
  const turned = components.map((component) =>
    Object.fromEntries(Object.entries(component).reverse()),
  ) as unknown as readonly Component[];
  assert.equal(inventoryOf(turned.toReversed()).hash, installed.hash);
  assert.notEqual(inventoryOf(rendered(providerComponents(), 2)).hash, installed.hash);
});

test("the same object in another version of its kind has the same key", () => {
  const [a, b] = ["v1", "v1beta1"].map((version) =>
    componentKeyOf({ apiVersion: `example.com/${version}`, kind: "Nest", metadata: { name: "n" } }),
  );
  assert.ok(a && b);
  assert.equal(formatComponentKey(a), formatComponentKey(b));
  assert.notEqual(formatComponentKey(a), formatComponentKey({ ...a, namespace: "x" }));
});

test("an upgrade deletes the instance, keeps CRDs, namespace and objects, and tells what is left", () => {
  const gone = ["Service", "CustomResourceDefinition", "Nest"];
  const next = providerComponents().filter(({ kind }) => !gone.includes(kind));
  const plan = planUpgrade(installed, inventoryOf(rendered(next)));
  assert.deepEqual(kinds(plan.replaced), [
    "ValidatingWebhookConfiguration",
    "Deployment",
    "Certificate",
    "Issuer",
    "ClusterRoleBinding",
    "RoleBinding",
  ]);
  assert.deepEqual(kinds(plan.obsolete), ["Service"]);
  assert.deepEqual(kinds(plan.kept), ["Namespace", "CustomResourceDefinition", "Nest"]);
  assert.deepEqual(kinds(plan.abandoned), ["CustomResourceDefinition", "Nest"]);
});

test("a deletion keeps CRDs and namespace, and takes webhooks first", () => {
  const plan = planDeletion(installed);
  assert.deepEqual(kinds(plan.kept), ["Namespace", "CustomResourceDefinition", "Nest"]);
  assert.equal(plan.deleted[0]?.kind, "ValidatingWebhookConfiguration");
  assert.equal(plan.deleted.length + plan.kept.length, installed.entries.length);
});

test("a deletion takes CRDs and namespace last where it is asked to", () => {
  const plan = planDeletion(installed, { deleteCrds: true, deleteNamespace: true });
  assert.deepEqual(kinds(plan.deleted).slice(-2), ["CustomResourceDefinition", "Namespace"]);
  assert.deepEqual(plan.kept, []);
  assert.deepEqual(kinds(planDeletion(installed, { deleteNamespace: true }).kept), [
    "CustomResourceDefinition",
    "Nest",
  ]);
});

test("two inventories differ in what was added, removed and changed", () => {
  const config = "{apiVersion: v1, kind: ConfigMap, metadata: {name: new}}";
  const next = providerComponents(config).filter(({ kind }) => kind !== "Service");
  const diff = diffInventories(installed, inventoryOf(rendered(next, 2)));
  assert.deepEqual(kinds(diff.added), ["ConfigMap"]);
  assert.deepEqual(kinds(diff.removed), ["Service"]);
  assert.deepEqual(kinds(diff.changed), ["Deployment"]);
  assert.equal(diff.unchanged.length, installed.entries.length - 2);
});

test("fields may be in any order and absent ones be undefined, items of a list may not", () => {
  assert.equal(contentHash({ a: 1, b: { c: 2, d: 3 } }), contentHash({ b: { d: 3, c: 2 }, a: 1 }));
  assert.equal(contentHash({ a: 1 }), contentHash({ a: 1, b: undefined }));
  assert.notEqual(contentHash([1, 2]), contentHash([2, 1]));
  assert.notEqual(contentHash({ a: 1 }), contentHash({ a: "1" }));
});
