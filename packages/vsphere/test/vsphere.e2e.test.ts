import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { type Client, createClient, loadConfig } from "@rookery/client";
import { rookeryImage } from "@rookery/packaging";
import {
  clusterApiCrds,
  clusterApiSource,
  type KubernetesNode,
  startNode,
  waitFor,
  whyUnavailable,
} from "@rookery/testing";
import { releaseObjects, systemNamespace } from "./installation.ts";
import { adminClient, clusters, People, patience } from "./running-provider.ts";
import { observe, type Simulator, simulatorUnavailable, startSimulator } from "./vcsim.ts";
import { listSessions } from "./vim-calls.ts";

const skip = (await simulatorUnavailable()) || (await whyUnavailable(clusterApiSource));
const needed = ["clusters.cluster.x-k8s.io", "machines.cluster.x-k8s.io"];
const deployment = ["deployment/capv-controller-manager", `--namespace=${systemNamespace}`];
const identityRef = { kind: "VSphereClusterIdentity", name: "shared" } as const;

describe("the vSphere provider in pods, with a vCenter beside the node", { skip }, () => {
  let node: KubernetesNode;
  let client: Client;
  let people: People;
  let simulator: Simulator;

  before(async () => {
    node = await startNode({ shared: true });
    const { hostname: address } = new URL(node.server);
    const accounts = { observer: "observer", shared: "secret" };
    simulator = await startSimulator({ accounts, address });
    client = await adminClient(node);
    people = new People(client);
    await node.importImage(await rookeryImage({ name: "docker.io/library/rookery:test" }));
    const upstream = await clusterApiCrds();
    for (const crd of upstream.filter(({ metadata }) => needed.includes(metadata.name))) {
      await node.applyCrd(crd);
    }
    await apply(releaseObjects("infrastructure-components.yaml"));
    await node.kubectl(["wait", ...deployment, "--for=condition=Available", "--timeout=300s"]);
  });
  after(async () => {
    await client?.destroy();
    await simulator?.[Symbol.asyncDispose]();
    await node?.[Symbol.asyncDispose]();
  });

  const apply = (manifests: readonly object[]) =>
    node.kubectl(["apply", "--server-side", "--filename=-"], {
      stdin: manifests.map((manifest) => JSON.stringify(manifest)).join("\n---\n"),
    });
  const sessions = async () => {
    await using vcenter = await observe(simulator);
    return (await listSessions(vcenter)).filter(({ userName }) => userName === "shared").length;
  };
  const spec = () => ({
    server: simulator.server,
    thumbprint: simulator.thumbprint,
    identityRef,
  });
  /** Someone who may do in a namespace what the provider's role for tenants says. */
  const tenantOf = async (namespace: string): Promise<Client> => {
    const { name, kubeconfig } = await node.user({ name: `tenant-of-${namespace}` });
    await node.kubectl([
      ...["create", "rolebinding", "tenant", `--namespace=${namespace}`, `--user=${name}`],
      "--clusterrole=capv-workload-cluster-operator",
    ]);
    const tenant = createClient(await loadConfig({ path: kubeconfig }));
    // An API server hears of roles and bindings in its own time.
    await waitFor(() => tenant.resource(clusters).list({ namespace }), {
      what: `${name} to have their rights`,
      timeout: patience,
    });
    return tenant;
  };

  it("makes a tenant's cluster ready, as an identity whose password is in its own namespace", async () => {
    await people.makeNamespace("vsphere-team");
    await people.makeSecret(systemNamespace, "account", { username: "shared", password: "secret" });
    const identity = {
      secretName: "account",
      allowedNamespaces: { list: ["vsphere-team"] },
      allowedServers: [simulator.server],
    };
    let last: unknown;
    // Every identity passes the webhooks: until the API server reaches and trusts them, none does.
    await waitFor(
      () =>
        people.makeIdentity("shared", identity).catch((error: unknown) => {
          last = error;
        }),
      { what: "the webhooks to take an identity", detail: () => String(last), timeout: patience },
    );
    await using tenant = await tenantOf("vsphere-team");
    await new People(tenant).makeCluster("vsphere-team", "a", spec());
    const { status } = await people.clusterIs("vsphere-team", "a", "Available");
    assert.equal(status?.ready, true);
    assert.equal(await sessions(), 1);
  });

  it("refuses a tenant for whom the identity is not", async () => {
    await people.makeNamespace("vsphere-mallory");
    await using tenant = await tenantOf("vsphere-mallory");
    await assert.rejects(new People(tenant).makeCluster("vsphere-mallory", "a", spec()), {
      message: /shared may not be used in the namespace vsphere-mallory/,
    });
  });

  it("logs out when its pod is ended", async () => {
    await node.kubectl(["scale", ...deployment, "--replicas=0"]);
    await waitFor(async () => (await sessions()) === 0, { what: "the logout", timeout: patience });
  });
});
