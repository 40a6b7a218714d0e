import assert from "node:assert/strict";
import { test } from "node:test";
import { openApiModels } from "./models.ts";

const { model } = openApiModels();

test("a built-in kind has a model with descriptions and what clients need to merge it", () => {
  const deployment = model("io.k8s.api.apps.v1.Deployment");
  assert.match(deployment?.description ?? "", /declarative updates/);
  assert.deepEqual(deployment?.["x-kubernetes-group-version-kind"], [
    { group: "apps", kind: "Deployment", version: "v1" },
  ]);
  const containers = model("io.k8s.api.core.v1.PodSpec")?.properties?.containers;
  assert.deepEqual(containers?.["x-kubernetes-list-map-keys"], ["name"]);
});

test("a kind that is not served has none", () => {
  assert.equal(model("io.k8s.api.networking.v1.Ingress"), undefined);
});

test("every reference leads to another model", () => {
  const seen = new Set<string>();
  const visit = (name: string) => {
    if (seen.has(name)) return;
    seen.add(name);
    const found = model(name);
    assert.ok(found, name);
    const references = JSON.stringify(found).matchAll(/#\/components\/schemas\/([^"]+)/g);
    for (const [, reference = ""] of references) visit(reference);
  };
  visit("io.k8s.api.core.v1.Pod");
  visit("io.k8s.api.apps.v1.StatefulSetList");
  assert.ok(seen.size > 100);
});
