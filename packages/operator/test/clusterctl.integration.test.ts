import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import {
  clusterApiProviders,
  clusterApiRelease,
  createTemporaryFolder,
  type Kubernetes,
  type TemporaryFolder,
  waitFor,
  whyUnavailable,
} from "@rookery/testing";
import { ClusterApiCluster } from "./cluster-api-cluster.ts";
import { Clusterctl } from "./clusterctl.ts";
import { commandsIn, Shell } from "./document.ts";

const [core] = clusterApiProviders;
const skip = await whyUnavailable(() => clusterApiRelease(core, "v1.13.6"));
const clusters = "/apis/cluster.x-k8s.io/v1beta2/namespaces/team/clusters";
const secrets = "/api/v1/namespaces/team/secrets";

describe("the real clusterctl, on what the operator has installed", { skip }, () => {
  let folder: TemporaryFolder;
  let shell: Shell;
  let commands: readonly string[];
  let source: ClusterApiCluster;
  let target: ClusterApiCluster;

  before(async () => {
    folder = await createTemporaryFolder("clusterctl");
    const versions = ["v1.13.6", "v1.14.2"];
    const clusterctl = await Clusterctl.create("clusterctl", folder.path, versions);
    const [block = ""] = await commandsIn("clusterctl-differences.md");
    commands = block.trim().split("\n");
    [source, target] = await Promise.all([ClusterApiCluster.start(), ClusterApiCluster.start()]);
    await Promise.all([install(source), install(target)]);
    const programs = { clusterctl: clusterctl.line };
    shell = await Shell.create(source.kubernetes, folder.path, programs);
  });
  after(async () => {
    await source?.[Symbol.asyncDispose]();
    await target?.[Symbol.asyncDispose]();
    await folder?.[Symbol.asyncDispose]();
  });

  async function install(cluster: ClusterApiCluster): Promise<void> {
    await cluster.offer("v1.13.6");
    await using _ = await cluster.startOperator();
    await cluster.declare({ version: "v1.13.6" });
    await cluster.areReady("v1.13.6");
  }

  test("upgrade plan knows all providers, and what they can go to", async () => {
    const plan = await shell.run(commands[0] ?? "");
    const rows = plan.split("\n").map((line) => line.trim().split(/\s+/));
    for (const name of ["cluster-api", "bootstrap-kubeadm", "control-plane-kubeadm"]) {
      const row = rows.find(([first]) => first === name);
      assert.deepEqual(row?.slice(3), ["v1.13.6", "v1.14.2"], plan);
    }
  });

  test("move takes a cluster, with what belongs to it, to another management cluster", async () => {
    await removeWebhooks(source.kubernetes);
    await removeWebhooks(target.kubernetes);
    await makeCluster(source.kubernetes);
    await shell.run(commands[1] ?? "", { TARGET_KUBECONFIG: target.kubernetes.kubeconfig });
    assert.deepEqual(await namesAt(target.kubernetes, clusters), ["flock"]);
    assert.deepEqual(await namesAt(target.kubernetes, secrets), ["flock-kubeconfig"]);
    assert.deepEqual(await namesAt(source.kubernetes, clusters), []);
  });
});

/** Nobody answers them: there are no pods. */
async function removeWebhooks(kubernetes: Kubernetes): Promise<void> {
  const kinds = "validatingwebhookconfigurations,mutatingwebhookconfigurations";
  await kubernetes.kubectl(["delete", kinds, "--all"]);
}

/** A Cluster as it is when all of it is provisioned, and the Secret that is found by its name. */
async function makeCluster(kubernetes: Kubernetes): Promise<void> {
  const apiVersion = "cluster.x-k8s.io/v1beta2";
  const metadata = { name: "flock", namespace: "team" };
  const post = (path: string, body: object) => send(kubernetes, ["POST", path], body);
  await post("/api/v1/namespaces", { metadata: { name: "team" } });
  const isTaken = async () => {
    await post(clusters, {
      apiVersion,
      kind: "Cluster",
      metadata,
      spec: { controlPlaneEndpoint: { host: "flock.example.com", port: 6443 } },
    });
    return true;
  };
  // The API server asks webhooks for a moment longer than they are there.
  await waitFor(isTaken, { what: "the Cluster to be taken" });
  const labels = { "cluster.x-k8s.io/cluster-name": "flock" };
  const data = { metadata: { ...metadata, name: "flock-kubeconfig", labels } };
  await post(secrets, { ...data, type: "cluster.x-k8s.io/secret" });
  const lastTransitionTime = new Date().toISOString();
  const conditions = ["InfrastructureReady", "ControlPlaneInitialized"].map((type) => {
    return { type, status: "True", reason: "Provisioned", message: "", lastTransitionTime };
  });
  const initialization = { infrastructureProvisioned: true, controlPlaneInitialized: true };
  const status = { conditions, initialization };
  await send(kubernetes, ["PATCH", `${clusters}/flock/status`], { status });
}

async function send(
  kubernetes: Kubernetes,
  [method, path]: readonly [method: string, path: string],
  body: object,
): Promise<void> {
  const answer = await kubernetes.request(method, path, { body });
  assert.ok(answer.status < 300, JSON.stringify(answer.body));
}

async function namesAt(kubernetes: Kubernetes, path: string): Promise<string[]> {
  const { body } = await kubernetes.request("GET", path);
  return body.items.map(({ metadata }: { metadata: { name: string } }) => metadata.name);
}
