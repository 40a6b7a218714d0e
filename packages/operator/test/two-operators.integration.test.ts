import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, describe, it } from "node:test";
import { type Client, createClient, loadConfig } from "@rookery/client";
import { type Kubernetes, PretendKubelet, startKubernetes, waitFor } from "@rookery/testing";
import { InstalledOperator, type Replica } from "./installed-operator.ts";
import { Administrator } from "./running-operator.ts";
import { smallProvider } from "./small-provider.ts";

const core = { namespace: "core-system", name: "cluster-api" };
const infrastructure = { namespace: "infra-system", name: "infra" };

describe("two operators at once, as deploy/operator.yaml runs them", () => {
  let kubernetes: Kubernetes;
  let client: Client;
  let administrator: Administrator;
  let kubelet: PretendKubelet;
  let operator: InstalledOperator;
  let first: Replica;
  let second: Replica;

  before(async () => {
    kubernetes = await startKubernetes({ private: true });
    client = createClient(await loadConfig({ path: kubernetes.kubeconfig }));
    administrator = new Administrator(client);
    kubelet = new PretendKubelet(client);
    operator = await InstalledOperator.apply(kubernetes);
    first = await operator.start();
    await waitFor(async () => (await operator.leader()) !== "", { what: "a leader" });
    second = await operator.start();
  });
  after(async () => {
    for (const one of [first, second, kubelet, client]) await one?.[Symbol.asyncDispose]();
    await kubernetes?.[Symbol.asyncDispose]();
  });

  async function offer({ namespace, name }: typeof core, version: string): Promise<void> {
    await administrator.makeNamespace(namespace);
    const components = smallProvider({ name, image: `example.com/${name}:${version}` });
    await administrator.offer(namespace, { name, version, components });
  }

  /** How many reconciles a replica has begun. */
  async function reconciles({ metrics }: Replica): Promise<number> {
    const text = await (await fetch(metrics)).text();
    const counts = text.matchAll(/^controller_runtime_reconcile_total\{.*\} (\d+)$/gm);
    return [...counts].reduce((sum, [, count]) => sum + Number(count), 0);
  }

  it("can be installed again without a change", async () => {
    const before = await operator.leader();
    await InstalledOperator.apply(kubernetes);
    assert.equal(await operator.leader(), before);
  });

  it("are one that works, with the rights of its role, and one that waits", async () => {
    await offer(core, "v1.0.0");
    await administrator.create("CoreProvider", core, { version: "v1.0.0" });
    await administrator.conditionIs("CoreProvider", core, ["Ready", "Ready"]);
    assert.ok((await reconciles(first)) > 0);
    assert.equal(await reconciles(second), 0);
  });

  it("finish what one of them was killed in the middle of, and do nothing twice", async () => {
    await offer(infrastructure, "v1.0.0");
    const leader = await operator.leader();
    const began = applied();
    await administrator.create("InfrastructureProvider", infrastructure, { version: "v1.0.0" });
    await began;
    await first.kill();

    await administrator.conditionIs("InfrastructureProvider", infrastructure, ["Ready", "Ready"]);
    assert.notEqual(await operator.leader(), leader);
    assert.ok((await reconciles(second)) > 0);
    const path = `/apis/apps/v1/namespaces/${infrastructure.namespace}`;
    const { body: sets } = await kubernetes.request("GET", `${path}/replicasets`);
    assert.equal(sets.items.length, 1);
    const { body: deployments } = await kubernetes.request("GET", `${path}/deployments`);
    assert.deepEqual(
      deployments.items.map((one: { metadata: { generation: number } }) => one.metadata.generation),
      [1],
    );
  });

  it("are two again when the other comes back, and go away with what they installed", async () => {
    const leader = await operator.leader();
    first = await operator.start();
    await administrator.remove("InfrastructureProvider", infrastructure);
    await administrator.isGone("InfrastructureProvider", infrastructure);
    await administrator.remove("CoreProvider", core);
    await administrator.isGone("CoreProvider", core);
    assert.equal(await operator.leader(), leader);
    assert.equal(await reconciles(first), 0);
    for (const { log } of [first, second]) {
      assert.doesNotMatch(await readFile(log, "utf8"), /is forbidden/, "its role is enough");
    }
    const roles = await kubernetes.kubectl(["get", "clusterroles,clusterrolebindings", "-o=name"]);
    assert.doesNotMatch(roles, /rookery-operator:|infra-manager|cluster-api-manager/);
  });

  /** Resolves as soon as the first component of the provider is in the cluster. */
  async function applied(): Promise<void> {
    const name = `nests.${infrastructure.name}.example.com`;
    const query = `fieldSelector=metadata.name%3D${name}`;
    const path = `/apis/apiextensions.k8s.io/v1/customresourcedefinitions?watch=true&${query}`;
    for await (const { type } of kubernetes.watch(path)) if (type === "ADDED") return;
  }
});
