import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { getCondition } from "@rookery/kube";
import {
  clusterApiProviders,
  clusterApiRelease,
  createTemporaryFolder,
  type TemporaryFolder,
  waitFor,
  whyUnavailable,
} from "@rookery/testing";
import { parseAllDocuments } from "yaml";
import { ClusterApiCluster, keyOf } from "./cluster-api-cluster.ts";
import { dumpComponents, dumpIdentities } from "./cluster-dump.ts";
import { applyCertManager, Clusterctl } from "./clusterctl.ts";
import { commandsIn, Shell } from "./document.ts";
import { type ReleaseWeb, startReleaseWeb, type WebFile } from "./release-web.ts";
import type { RunningOperator } from "./running-operator.ts";

const [core] = clusterApiProviders;
const mirror = "mirror.example.com/capi";
const skip = await whyUnavailable(() => clusterApiRelease(core, "v1.8.4"));

describe("a management cluster that the real clusterctl has made", { skip }, () => {
  let folder: TemporaryFolder;
  let cluster: ClusterApiCluster;
  let operator: RunningOperator;
  let web: ReleaseWeb;
  let shell: Shell;
  let commands: readonly string[];

  before(async () => {
    folder = await createTemporaryFolder("migration");
    commands = await commandsIn("upgrade-from-clusterctl.md");
    web = await startReleaseWeb(readRelease);
    cluster = await ClusterApiCluster.start();
    await applyCertManager(cluster.kubernetes);
    const clusterctl = await Clusterctl.create("old-clusterctl", folder.path, ["v1.8.4"], {
      images: { all: { repository: mirror } },
      CLUSTER_TOPOLOGY: "true",
    });
    const providers = ["--core=cluster-api", "--bootstrap=kubeadm", "--control-plane=kubeadm"];
    await clusterctl.run(cluster.kubernetes, ["init", ...providers, "--infrastructure=-"]);
    shell = await Shell.create(cluster.kubernetes, folder.path);
    await waitFor(async () => !(await deployments()).some(isUnavailable), {
      what: "what clusterctl has installed to be available",
    });
  });
  after(async () => {
    await operator?.[Symbol.asyncDispose]();
    await cluster?.[Symbol.asyncDispose]();
    await web?.[Symbol.asyncDispose]();
    await folder?.[Symbol.asyncDispose]();
  });

  const get = async (path: string) => (await cluster.kubernetes.request("GET", path)).body;
  const deployments = async (): Promise<Deployment[]> =>
    (await get("/apis/apps/v1/deployments")).items;

  test("says what would become of it, before anything is there", async () => {
    const [preview = ""] = commands;
    const printed = parseAllDocuments(await shell.run(preview)).map((one) => one.toJS());
    assert.deepEqual(
      printed.map(({ kind, spec }) => [kind, spec.version]).sort(),
      clusterApiProviders.map(({ kind }) => [kind, "v1.8.4"]).sort(),
    );
  });

  test("is declared by the operator, and nothing that runs is touched", async () => {
    const before = await dumpComponents(cluster.client);
    const identities = await dumpIdentities(cluster.client);
    operator = await cluster.startOperator({ downloader: web.downloader });
    await shell.run(commands[1] ?? "");
    const { status } = await cluster.isReady(core, "v1.8.4");
    assert.equal(status?.contract, "v1beta1");
    assert.deepEqual(await dumpComponents(cluster.client), before);
    const condition = getCondition(status?.conditions, "Warning");
    assert.equal(condition, undefined);
    assert.deepEqual(await dumpIdentities(cluster.client), identities);
  });

  test("keeps the variables and the images that clusterctl was told", async () => {
    const { spec } = await cluster.administrator.get("CoreProvider", keyOf(core));
    assert.deepEqual(spec?.deployment?.containers, [
      { name: "capi-controller-manager/manager", image: { repository: mirror } },
    ]);
    const path = `/api/v1/namespaces/capi-system/secrets/${spec?.secretName}`;
    const { data } = await get(path);
    const value = Buffer.from(data.CLUSTER_TOPOLOGY, "base64").toString();
    assert.deepEqual([Object.keys(data), value], [["CLUSTER_TOPOLOGY"], "true"]);
  });

  test("has an event of it, and no record is left unmigrated", async () => {
    const { items } = await get("/apis/events.k8s.io/v1/events");
    const adopted = items.filter(({ reason }: { reason: string }) => reason === "Adopted");
    assert.equal(adopted.length, clusterApiProviders.length);
    const records = await get("/apis/clusterctl.cluster.x-k8s.io/v1alpha3/providers");
    for (const { metadata } of records.items) assert.equal(metadata.annotations, undefined);
  });

  test("goes to the next contract by the commands of the document", async () => {
    for (const block of commands.slice(2)) await shell.run(block);
    const images = (await deployments()).map(({ spec }) => spec.template.spec.containers[0].image);
    assert.deepEqual(
      images.filter((image) => !image.startsWith(`${mirror}/`) || !image.endsWith(":v1.13.6")),
      [],
    );
    const path = "/apis/apps/v1/namespaces/capi-system/deployments/capi-controller-manager";
    const { args } = (await get(path)).spec.template.spec.containers[0];
    assert.match(args.join(" "), /ClusterTopology=true/);
    const records = await get("/apis/clusterctl.cluster.x-k8s.io/v1alpha3/providers");
    assert.deepEqual(
      records.items.map(({ version }: { version: string }) => version),
      ["v1.13.6", "v1.13.6", "v1.13.6"],
    );
  });
});

/** What Cluster API has released. */
async function readRelease({ repository, version, name }: WebFile): Promise<string | undefined> {
  if (repository !== "kubernetes-sigs/cluster-api") return undefined;
  const provider = clusterApiProviders.find(({ file }) => file === name) ?? core;
  const { components, metadata } = await clusterApiRelease(provider, version);
  return name === "metadata.yaml" ? metadata : components;
}

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
