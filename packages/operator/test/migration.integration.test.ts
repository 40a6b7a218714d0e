import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import {
  clusterApiProviders,
  clusterApiRelease,
  createTemporaryFolder,
  type TemporaryFolder,
  waitFor,
  whyUnavailable,
} from "@rookery/testing";
import { ClusterApiCluster, keyOf, selectorOf } from "./cluster-api-cluster.ts";
import { dumpComponents, dumpIdentities } from "./cluster-dump.ts";
import { applyCertManager, Clusterctl } from "./clusterctl.ts";
import type { RunningOperator } from "./running-operator.ts";

const [core] = clusterApiProviders;
const skip = await whyUnavailable(() => clusterApiRelease(core, "v1.8.4"));

describe("a management cluster that the real clusterctl has made", { skip }, () => {
  let folder: TemporaryFolder;
  let cluster: ClusterApiCluster;
  let operator: RunningOperator;

  before(async () => {
    folder = await createTemporaryFolder("migration");
    cluster = await ClusterApiCluster.start();
    await applyCertManager(cluster.kubernetes);
    const clusterctl = await Clusterctl.create("old-clusterctl", folder.path, ["v1.8.4"]);
    const providers = ["--core=cluster-api", "--bootstrap=kubeadm", "--control-plane=kubeadm"];
    await clusterctl.run(cluster.kubernetes, ["init", ...providers, "--infrastructure=-"]);
    await waitFor(async () => !(await deployments()).some(isUnavailable), {
      what: "what clusterctl has installed to be available",
    });
  });
  after(async () => {
    await operator?.[Symbol.asyncDispose]();
    await cluster?.[Symbol.asyncDispose]();
    await folder?.[Symbol.asyncDispose]();
  });

  const get = async (path: string) => (await cluster.kubernetes.request("GET", path)).body;
  const deployments = async (): Promise<Deployment[]> =>
    (await get("/apis/apps/v1/deployments")).items;

  test("is declared by the operator, and nothing that runs is touched", async () => {
    const before = await dumpComponents(cluster.client);
    const identities = await dumpIdentities(cluster.client);
    operator = await cluster.startOperator();
    for (const provider of clusterApiProviders) {
      const declared = await waitFor(
        () => cluster.administrator.get(provider.kind, keyOf(provider)).catch(() => undefined),
        { what: `${provider.kind} to be declared` },
      );
      assert.equal(declared.spec?.version, "v1.8.4");
    }
    await cluster.areReady("v1.8.4");
    const { status } = await cluster.isReady(core, "v1.8.4");
    assert.equal(status?.contract, "v1beta1");
    assert.deepEqual(await dumpComponents(cluster.client), before);
    assert.deepEqual(await dumpIdentities(cluster.client), identities);
  });

  test("goes to the next contract, when all are paused, without a network", async () => {
    await cluster.offer("v1.13.6");
    for (const provider of clusterApiProviders) {
      const fetchConfig = { selector: selectorOf(provider) };
      const spec = { fetchConfig, paused: true, version: "v1.13.6" };
      await cluster.administrator.change(provider.kind, keyOf(provider), spec);
    }
    for (const provider of clusterApiProviders) {
      await cluster.isInstalled(provider, "v1.13.6");
    }
    await cluster.change({ paused: false });
    await cluster.areReady("v1.13.6");
    const images = (await deployments()).map(({ spec }) => spec.template.spec.containers[0].image);
    assert.deepEqual(
      images.filter((image) => !image.endsWith(":v1.13.6")),
      [],
    );
    const records = await get("/apis/clusterctl.cluster.x-k8s.io/v1alpha3/providers");
    assert.deepEqual(
      records.items.map(({ version }: { version: string }) => version),
      ["v1.13.6", "v1.13.6", "v1.13.6"],
    );
  });
});

interface Deployment {
  readonly spec: {
    readonly replicas: number;
    readonly template: { readonly spec: { readonly containers: readonly [{ image: string }] } };
  };
  readonly status: { readonly availableReplicas?: number };
}

function isUnavailable({ spec, status }: Deployment): boolean {
  return status.availableReplicas !== spec.replicas;
}
