import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { groupVersionResourceOf, resourcePath } from "@rookery/kube";
import { type Kubernetes, startKubernetes } from "@rookery/testing";
import { resourceOf } from "./kind.ts";
import { customResourceDefinitionOf } from "./render.ts";
import { sampler } from "./sampler.ts";

const definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const definition = customResourceDefinitionOf(sampler);
const samplers = resourcePath(groupVersionResourceOf(resourceOf(sampler, "v1")), {
  namespace: "default",
});

const object = (spec: unknown) => ({
  apiVersion: "sampler.rookery.dev/v1",
  kind: "Sampler",
  metadata: { name: "a" },
  spec,
});

describe("a kind with every word there is, on a Kubernetes", () => {
  let kubernetes: Kubernetes;
  before(async () => {
    kubernetes = await startKubernetes();
    await kubernetes.applyCrd(definition);
  });
  after(async () => {
    await kubernetes.request("DELETE", `${definitions}/${definition.metadata.name}`);
    await kubernetes[Symbol.asyncDispose]();
  });

  test("is accepted without a warning and structural", async () => {
    const path = `${definitions}/${definition.metadata.name}`;
    const { body: stored } = await kubernetes.request("GET", path);
    const { status, headers } = await kubernetes.request("PUT", `${path}?fieldValidation=Strict`, {
      body: { ...stored, ...definition, metadata: stored.metadata },
    });
    assert.equal(status, 200);
    assert.equal(headers.warning, undefined);
    const types = stored.status.conditions.map(({ type }: { type: string }) => type);
    assert.deepEqual(types.sort(), ["Established", "NamesAccepted"]);
  });

  test("gets its defaults", async () => {
    const { status, body } = await kubernetes.request("POST", `${samplers}?dryRun=All`, {
      body: object({ text: "a", containers: [{ name: "a" }] }),
    });
    assert.equal(status, 201, JSON.stringify(body));
    assert.deepEqual(body.spec, {
      text: "a",
      mode: "full",
      count: 3,
      enabled: true,
      memory: "1Gi",
      timeout: "1m30s",
      note: "none",
      limits: { cpu: 1 },
      containers: [{ name: "a", protocol: "TCP" }],
    });
  });
});
