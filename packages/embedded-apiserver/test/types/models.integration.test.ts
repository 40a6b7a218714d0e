import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { type Kubernetes, startKubernetes, waitFor } from "@rookery/testing";
import { openApiModels } from "../../src/types/models.ts";

let kubernetes: Kubernetes;

before(async () => {
  kubernetes = await startKubernetes();
});

after(() => kubernetes?.[Symbol.asyncDispose]());

for (const document of [
  "api/v1",
  "apis/apps/v1",
  "apis/batch/v1",
  "apis/apiextensions.k8s.io/v1",
]) {
  test(`the models that are kept are those of ${document} on a kube-apiserver`, async () => {
    const path = `/openapi/v3/${document}`;
    // The aggregator gathers documents after it is ready.
    const ask = async () => {
      const { status, body } = await kubernetes.request("GET", path);
      return status === 200 && body.components;
    };
    const { schemas }: { schemas: Record<string, object> } = await waitFor(ask, { what: path });
    const { model } = openApiModels();
    const kept = Object.keys(schemas).filter((name) => model(name) !== undefined);
    assert.ok(kept.length > 20);
    for (const name of kept) assert.deepEqual(plain(model(name)), plain(schemas[name]), name);
  });
}

/** Options and statuses are of groups that are not served, too. */
function plain(schema: object | undefined): object {
  const { "x-kubernetes-group-version-kind": _, ...rest } = schema as Record<string, unknown>;
  return rest;
}
