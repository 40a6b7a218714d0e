import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { coreKinds, customResourceDefinitionOf, customResourceDefinitions } from "@rookery/api";
import { type Kubernetes, startKubernetes } from "@rookery/testing";

const definitions = [...customResourceDefinitions(), ...coreKinds.map(customResourceDefinitionOf)];
const path = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

describe("every kind on a Kubernetes", () => {
  let kubernetes: Kubernetes;
  before(async () => {
    kubernetes = await startKubernetes();
  });
  after(() => kubernetes[Symbol.asyncDispose]());

  for (const definition of definitions) {
    test(`${definition.metadata.name} is accepted without a warning`, async () => {
      const query = "?dryRun=All&fieldValidation=Strict";
      const response = await kubernetes.request("POST", `${path}${query}`, { body: definition });
      // Another test of the run may just have it installed.
      assert.ok([201, 409].includes(response.status), JSON.stringify(response.body));
      assert.equal(response.headers.warning, undefined);
    });
  }
});
