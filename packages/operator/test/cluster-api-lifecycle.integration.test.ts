import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { clusterctlProvider } from "@rookery/components";
import {
  clusterApiProviders,
  clusterApiRelease,
  clusterApiVersions,
  whyUnavailable,
} from "@rookery/testing";
import { ClusterApiCluster, keyOf } from "./cluster-api-cluster.ts";
import { componentsAreGone, dumpComponents } from "./cluster-dump.ts";
import { type Components, isDefinition, itEndsInTheSameState } from "./killed-operator.ts";
import type { RunningOperator } from "./running-operator.ts";

const [core] = clusterApiProviders;
const skip = await whyUnavailable(() => clusterApiRelease(core, clusterApiVersions[0]));
/** Of each of install, upgrade and removal. */
const kills = 7;

describe("the real Cluster API, from ConfigMaps and without any network", { skip }, () => {
  let cluster: ClusterApiCluster;
  /** What is there when nobody is killed, by version. */
  const whole: Record<string, Components> = {};

  before(async () => {
    cluster = await ClusterApiCluster.start();
    for (const version of clusterApiVersions) await cluster.offer(version);
  });
  after(() => cluster?.[Symbol.asyncDispose]());

  const get = async (path: string) => (await cluster.kubernetes.request("GET", path)).body;
  const deployment = () =>
    get("/apis/apps/v1/namespaces/capi-system/deployments/capi-controller-manager");
  const clustersCrd = () =>
    get("/apis/apiextensions.k8s.io/v1/customresourcedefinitions/clusters.cluster.x-k8s.io");

  describe("by an operator that lives", () => {
    let operator: RunningOperator;
    before(async () => {
      operator = await cluster.startOperator();
    });
    after(() => operator?.[Symbol.asyncDispose]());

    test("v1.8.4 is installed, the core first", async () => {
      await cluster.declare({ version: "v1.8.4" });
      await cluster.areReady("v1.8.4");
      const { status } = await cluster.isReady(core, "v1.8.4");
      assert.equal(status?.contract, "v1beta1");
    });

    test("a change of the contract is refused while providers run", async () => {
      await cluster.administrator.change(core.kind, keyOf(core), { version: "v1.13.6" });
      const reason = ["PreflightCheckPassed", "ContractChangeBlocked"] as const;
      await cluster.administrator.conditionIs(core.kind, keyOf(core), reason);
      const { spec } = await deployment();
      assert.match(spec.template.spec.containers[0].image, /:v1\.8\.4$/);
      assert.equal(spec.replicas, 1);
    });

    test("when all are paused, all go to v1.13.6, and run again when they are unpaused", async () => {
      const before = await clustersCrd();
      await cluster.change({ paused: true, version: "v1.13.6" });
      for (const provider of clusterApiProviders) await cluster.isInstalled(provider, "v1.13.6");
      assert.equal((await deployment()).spec.replicas, 0);
      await cluster.change({ paused: false });
      await cluster.areReady("v1.13.6");
      assert.equal((await deployment()).spec.replicas, 1);
      assert.equal((await clustersCrd()).metadata.uid, before.metadata.uid);
      const { status } = await cluster.isReady(core, "v1.13.6");
      assert.equal(status?.contract, "v1beta2");
      whole["v1.13.6"] = await dumpComponents(cluster.client);
    });

    test("v1.14.2 takes the place of v1.13.6, and clusterctl knows of it", async () => {
      await cluster.change({ version: "v1.14.2" });
      await cluster.areReady("v1.14.2");
      const { spec } = await deployment();
      assert.match(spec.template.spec.containers[0].image, /:v1\.14\.2$/);
      for (const provider of clusterApiProviders) {
        const { namespace } = keyOf(provider);
        const { metadata, ...record } = clusterctlProvider({
          provider,
          version: "v1.14.2",
          namespace,
        });
        const path = `/apis/clusterctl.cluster.x-k8s.io/v1alpha3/namespaces/${namespace}/providers/${metadata.name}`;
        assert.partialDeepStrictEqual(await get(path), record);
      }
      whole["v1.14.2"] = await dumpComponents(cluster.client);
    });

    test("a change of flags makes the Deployment anew, and keeps CRDs", async () => {
      const before = { deployment: await deployment(), crd: await clustersCrd() };
      await cluster.administrator.change(core.kind, keyOf(core), { manager: { verbosity: 4 } });
      await cluster.areReady("v1.14.2");
      const { metadata, spec } = await deployment();
      assert.ok(spec.template.spec.containers[0].args.includes("--v=4"));
      assert.notEqual(metadata.uid, before.deployment.metadata.uid);
      assert.equal((await clustersCrd()).metadata.uid, before.crd.metadata.uid);
    });

    test("all of it is deleted but CRDs", async () => {
      await cluster.removeAll();
      await componentsAreGone(cluster.client, isDefinition);
      assert.equal((await clustersCrd()).kind, "CustomResourceDefinition");
    });
  });

  describe(`by one that is killed ${kills} times at random calls`, () =>
    itEndsInTheSameState({ cluster: () => cluster, whole, kills }));
});
