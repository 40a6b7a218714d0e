import { test } from "node:test";
import { startKubernetes } from "@rookery/testing";
import { assertHearsOfMissedChanges } from "./missed-changes.ts";
import { adminClient, type Nest, nests, nestsCrd } from "./nests.ts";

test("an informer hears of 10,000 changes that were made while its watch was down", async () => {
  await using kubernetes = await startKubernetes({ private: true, controllerManager: false });
  await kubernetes.applyCrd(nestsCrd);
  await using client = await adminClient(kubernetes);
  const { name: namespace } = await kubernetes.createNamespace("nest");
  const resource = client.resource<Nest>(nests);
  await assertHearsOfMissedChanges({ kubernetes, resource, namespace }, 10_000);
});
