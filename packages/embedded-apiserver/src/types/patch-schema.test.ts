import assert from "node:assert/strict";
import { test } from "node:test";
import { applyStrategicMergePatch } from "@rookery/kube";
import { patchSchemaOf } from "./patch-schema.ts";

const deployment = patchSchemaOf("k8s.io/api/apps/v1.Deployment");
const pod = patchSchemaOf("k8s.io/api/core/v1.Pod");

test("lists are merged by the keys of their Go types, also those of embedded structs", () => {
  const before = {
    spec: {
      containers: [
        { name: "a", image: "1", env: [{ name: "x", value: "1" }] },
        { name: "b", image: "1" },
      ],
      tolerations: [{ key: "a" }],
      volumes: [{ name: "v", projected: { sources: [{ secret: { name: "s" } }] } }],
    },
  };
  const patch = {
    spec: {
      containers: [{ name: "a", image: "2", env: [{ name: "y", value: "2" }] }],
      tolerations: [{ key: "b" }],
      volumes: [{ name: "v", projected: { sources: [{ secret: { name: "t" } }] } }],
    },
  };
  assert.deepEqual(applyStrategicMergePatch(before, patch, pod), {
    spec: {
      containers: [
        {
          name: "a",
          image: "2",
          env: [
            { name: "y", value: "2" },
            { name: "x", value: "1" },
          ],
        },
        { name: "b", image: "1" },
      ],
      tolerations: [{ key: "b" }],
      volumes: [{ name: "v", projected: { sources: [{ secret: { name: "t" } }] } }],
    },
  });
});

test("a strategy of several words is the one that merges", () => {
  assert.equal(pod.field("spec")?.schema.field("volumes")?.strategy, "merge");
  assert.equal(deployment.field("spec")?.schema.field("strategy")?.strategy, undefined);
});

test("a field that is not there is told in Go's words", () => {
  assert.throws(() => deployment.field("spec")?.schema.field("typo"), {
    reason: 'unable to find api field in struct DeploymentSpec for the json field "typo"',
    httpStatus: 500,
  });
  const labels = deployment.field("metadata")?.schema.field("labels")?.schema;
  assert.throws(() => labels?.field("a"), {
    reason: "merging an object in json but data type is not struct, instead is: map",
  });
});

test("types that hold themselves have a schema at any depth", () => {
  const goType =
    "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1.CustomResourceDefinition";
  const versions = patchSchemaOf(goType).field("spec")?.schema.field("versions");
  const schema = versions?.schema.field("schema")?.schema.field("openAPIV3Schema")?.schema;
  assert.ok(schema?.field("not")?.schema.field("not")?.schema.field("allOf"));
});
