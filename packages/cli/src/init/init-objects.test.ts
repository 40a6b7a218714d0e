import assert from "node:assert/strict";
import { test } from "node:test";
import { parseComponents } from "@rookery/components";
import { imageChanges } from "./init-objects.ts";

const deployment = (name: string, containers: string) =>
  `apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: ${name}}\nspec: {template: {spec: {containers: [${containers}]}}}\n`;
const manager = "{name: manager, image: 'registry.k8s.io/team/manager:v1'}";
const proxy = "{name: proxy, image: 'gcr.io/team/proxy:v2'}";

test("the parts that the configuration names are set on each container, the special over the general", () => {
  const components = parseComponents(deployment("controller", `${manager}, ${proxy}`));
  const images = {
    all: { repository: "mirror.example.com" },
    "infrastructure-aws": { tag: "v3" },
    "infrastructure-aws/proxy": { name: "other", repository: "own.example.com" },
    "infrastructure-gcp": { tag: "v9" },
  };
  assert.deepEqual(imageChanges(components, "infrastructure-aws", images), [
    { name: "manager", image: { repository: "mirror.example.com", tag: "v3" } },
    { name: "proxy", image: { repository: "own.example.com", tag: "v3", name: "other" } },
  ]);
});

test("a container that several Deployments have is named with its Deployment", () => {
  const text = `${deployment("a", manager)}---\n${deployment("b", manager)}`;
  const changes = imageChanges(parseComponents(text), "x", { all: { tag: "v3" } });
  assert.deepEqual(
    changes.map(({ name }) => name),
    ["a/manager", "b/manager"],
  );
});

test("without overrides for it nothing is set", () => {
  const components = parseComponents(deployment("a", manager));
  assert.deepEqual(imageChanges(components, "x", {}), []);
  const local = parseComponents(deployment("a", "{name: manager, image: 'without-registry:v1'}"));
  assert.deepEqual(imageChanges(local, "x", { y: { tag: "v3" } }), []);
});
