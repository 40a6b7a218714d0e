import { after, before, describe } from "node:test";
import { clusterctlProgram, whyUnavailable } from "@rookery/testing";
import { describeSuite } from "../describe/describe-suite.ts";
import { type ManagementCluster, startManagementCluster } from "../describe/management.ts";
import { makeFleet, makeOdd } from "../describe/scenes.ts";
import { generateSuite } from "../generate/generate-suite.ts";
import { getSuite } from "../get/get-suite.ts";

const skip = await whyUnavailable(() => clusterctlProgram());
const namespace = "team";

// One API server for all of them: each costs some seconds.
describe("what shows a management cluster", { skip }, () => {
  let management: ManagementCluster;

  before(async () => {
    management = await startManagementCluster();
    const body = { metadata: { name: namespace } };
    await management.kubernetes.request("POST", "/api/v1/namespaces", { body });
    await Promise.all([makeFleet(management, namespace), makeOdd(management, namespace)]);
  });
  after(async () => {
    await management?.[Symbol.asyncDispose]();
  });

  describe("rookery get", () => getSuite(() => management));
  describe("rookery describe cluster", () => describeSuite(() => management));
  describe("rookery generate cluster", () => generateSuite(() => management));
});
