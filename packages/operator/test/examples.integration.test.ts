import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { type Client, createClient, loadConfig } from "@rookery/client";
import type { ConfigMap } from "@rookery/components";
import { builtInResources } from "@rookery/kube";
import {
  createTemporaryFolder,
  type Kubernetes,
  PretendKubelet,
  startKubernetes,
} from "@rookery/testing";
import { commandsIn, Shell } from "./document.ts";
import { installOperatorAccount } from "./operator-account.ts";
import { type ReleaseWeb, startReleaseWeb, type WebFile } from "./release-web.ts";
import { Administrator, RunningOperator } from "./running-operator.ts";
import { smallProvider } from "./small-provider.ts";

const examples = join(import.meta.dirname, "../../../examples/operator");
const contract = "v1alpha3";
/** Providers by their repositories. */
const names: Readonly<Record<string, string>> = {
  "kubernetes-sigs/cluster-api-provider-aws": "aws",
  "kubernetes-sigs/cluster-api": "kubeadm",
  "myorg/awesome-azure-provider": "myazure",
  "kubernetes-sigs/cluster-api-provider-vsphere": "vsphere",
  "kubernetes-sigs/cluster-api-provider-gcp": "gcp",
};

describe("the examples, applied to the running operator", () => {
  let kubernetes: Kubernetes;
  let client: Client;
  let account: Client;
  let administrator: Administrator;
  let web: ReleaseWeb;
  let kubelet: PretendKubelet;
  let operator: RunningOperator;

  before(async () => {
    kubernetes = await startKubernetes({ private: true });
    client = createClient(await loadConfig({ path: kubernetes.kubeconfig }));
    account = await installOperatorAccount(kubernetes);
    administrator = new Administrator(client);
    kubelet = new PretendKubelet(client);
    web = await startReleaseWeb(readFileOf);
    operator = await RunningOperator.start(account, { downloader: web.downloader });
    await makeSurroundings();
  });
  after(async () => {
    await operator?.[Symbol.asyncDispose]();
    await kubelet?.[Symbol.asyncDispose]();
    await web?.[Symbol.asyncDispose]();
    await account?.destroy();
    await client?.destroy();
    await kubernetes?.[Symbol.asyncDispose]();
  });

  /** What the examples take for granted: a core of the same contract, namespaces, Secrets. */
  async function makeSurroundings(): Promise<void> {
    await administrator.makeNamespace("capi-system");
    const components = smallProvider({ name: "cluster-api" });
    const core = { name: "cluster-api", version: "v0.3.10", components, contract };
    await administrator.offer("capi-system", core);
    const key = { name: "cluster-api", namespace: "capi-system" };
    await administrator.create("CoreProvider", key, { version: "v0.3.10" });
    const secrets = {
      "capa-system": [],
      "capi-kubeadm-control-plane-system": ["capi-variables"],
      "capz-system": ["azure-variables"],
      "capv-system": ["vsphere-variables"],
    };
    for (const [namespace, names] of Object.entries(secrets)) {
      await administrator.makeNamespace(namespace);
      for (const name of names) await administrator.makeSecret(namespace, name, {});
    }
  }

  const apply = (file: string) => kubernetes.kubectl(["apply", "-f", join(examples, file)]);
  const isReady = (kind: "ControlPlaneProvider" | "InfrastructureProvider", key: string) => {
    const [namespace = "", name = ""] = key.split("/");
    return administrator.conditionIs(kind, { namespace, name }, ["Ready", "Ready"]);
  };
  async function managerOf(key: string) {
    const path = `/apis/apps/v1/namespaces/${key.replace("/", "/deployments/")}-manager`;
    const { body } = await kubernetes.request("GET", path);
    return body.spec.template.spec.containers[0];
  }

  test("1: the flags are those of the manager, and of the container", async () => {
    await apply("1-aws-with-flags.yaml");
    await isReady("InfrastructureProvider", "capa-system/aws");
    const { args } = await managerOf("capa-system/aws");
    assert.deepEqual(args, [
      "--leader-elect",
      "--awscluster-concurrency=12",
      "--awsmachine-concurrency=11",
      "--sync-period=660s",
      "--metrics-addr=:8181",
    ]);
  });

  test("2: the image is another one", async () => {
    await apply("2-aws-with-an-image.yaml");
    await isReady("InfrastructureProvider", "capa-system/aws");
    const { image } = await managerOf("capa-system/aws");
    assert.equal(image, "gcr.io/myregistry/capa-controller:v0.6.0-foo");
  });

  test("3: the resources are those of the example", async () => {
    await apply("3-control-plane-with-limits.yaml");
    await isReady("ControlPlaneProvider", "capi-kubeadm-control-plane-system/kubeadm");
    const { resources } = await managerOf("capi-kubeadm-control-plane-system/kubeadm");
    assert.deepEqual(resources, {
      limits: { cpu: "100m", memory: "30Mi" },
      requests: { cpu: "100m", memory: "20Mi" },
    });
  });

  test("4: components come from the repository that is named", async () => {
    await apply("4-azure-from-another-repository.yaml");
    await isReady("InfrastructureProvider", "capz-system/myazure");
    const asked = "/myorg/awesome-azure-provider/releases/download/v0.4.9/metadata.yaml";
    assert.ok(web.paths.includes(asked), `${web.paths}`);
  });

  test("5: a name that Cluster API knows needs no fetch configuration", async () => {
    await apply("5-vsphere-by-name.yaml");
    await isReady("InfrastructureProvider", "capv-system/vsphere");
    const place = "/kubernetes-sigs/cluster-api-provider-vsphere/releases/download/v0.4.9/";
    assert.ok(web.paths.includes(`${place}infrastructure-components.yaml`), `${web.paths}`);
  });

  test("6: without a network, components come from ConfigMaps, as soon as they are there", async () => {
    await apply("6-azure-without-a-network.yaml");
    const key = { namespace: "capz-system", name: "azure" };
    // The file has only places for what goes there.
    await administrator.conditionIs("InfrastructureProvider", key, [
      "ProviderFetched",
      "InvalidMetadata",
    ]);
    const before = web.paths.length;
    const configMaps = client.resource<ConfigMap>(builtInResources.configMaps);
    const data = { components: smallProvider({ name: "azure" }), metadata: metadataOf("v0.4.9") };
    const patch = { type: "merge", patch: { data } } as const;
    await configMaps.patch({ namespace: "capz-system", name: "v0.4.9" }, patch);
    await isReady("InfrastructureProvider", "capz-system/azure");
    assert.equal(web.paths.length, before);
  });

  test("7: two instances divide all namespaces, as docs/instances.md says", async () => {
    await apply("7-gcp-twice.yaml");
    const teams = ["team-a-dev", "team-a-prod", "team-b"];
    for (const name of teams) await administrator.makeNamespace(name);
    await using folder = await createTemporaryFolder("instances");
    const shell = await Shell.create(kubernetes, folder.path);
    const [declare = "", see = "", move = "", narrow = ""] = await commandsIn("instances.md");
    await shell.run(declare);
    const [table = "", json = ""] = (await shell.run(see)).split(/^(?=\{)/m);
    assert.match(
      table,
      /^Infra\S+ gcp +capg1-system \(first\) +team-a-dev,team-a-prod +proxy +0 +- +-$/m,
    );
    assert.match(table, /^Infra\S+ gcp +capg2-system +all but team-a-dev,team-a-prod +proxy/m);
    const { shards } = JSON.parse(json) as { shards: { instance: string }[] };
    assert.ok(shards.some(({ instance }) => instance === "capg2-system"));
    await shell.run(move);
    const key = { namespace: "capg1-system", name: "gcp" };
    const moved = await administrator.get("InfrastructureProvider", key);
    assert.deepEqual(moved.status?.watch?.namespaces, teams);
    await shell.run(narrow);
    // What nobody knows of its manager cannot be relied on.
    const refused = ["PreflightCheckPassed", "RbacNotPossible"] as const;
    await administrator.conditionIs("InfrastructureProvider", key, refused);
  });

  test("there is a test for each of them", async () => {
    const files = (await readdir(examples)).filter((file) => file.endsWith(".yaml"));
    const source = await readFile(import.meta.filename, "utf8");
    assert.deepEqual(
      files.filter((file) => !source.includes(`apply("${file}")`)),
      [],
    );
  });
});

function readFileOf({ repository, version, name }: WebFile): string | undefined {
  const provider = names[repository];
  if (provider === undefined) return undefined;
  return name === "metadata.yaml" ? metadataOf(version) : smallProvider({ name: provider });
}

function metadataOf(version: string): string {
  const [major, minor] = version.slice(1).split(".");
  return `apiVersion: clusterctl.cluster.x-k8s.io/v1alpha3
kind: Metadata
releaseSeries: [{major: ${major}, minor: ${minor}, contract: ${contract}}]
`;
}
