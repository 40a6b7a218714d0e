import assert from "node:assert/strict";
import { test } from "node:test";
import { clusterApiCrds, startKubernetes } from "@rookery/testing";
import { compareObjects, eachOnce } from "./cluster-api-comparison.ts";
import { separateVersions } from "./crd.ts";

/** Everything at every node of every CRD takes many minutes; without it, each thing is tried once. */
const isTried = process.env.ROOKERY_CONFORMANCE === "all" ? () => true : eachOnce();

/** The whole of what the integration test tries some of. */
test("objects made from the schemas of Cluster API, and with any one thing wrong, get the same answers", async () => {
  await using kubernetes = await startKubernetes({ private: true, controllerManager: false });
  const crds = await clusterApiCrds();
  await Promise.all(crds.flatMap(separateVersions).map(({ crd }) => kubernetes.applyCrd(crd)));
  const count = await compareObjects(kubernetes, crds, { isTried });
  assert.ok(count > 3000, `only ${count} objects were compared`);
});
