import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { isDeepStrictEqual } from "node:util";
import { type Client, createClient, loadConfig } from "@rookery/client";
import type { ProviderKind } from "@rookery/components";
import { rookeryImage } from "@rookery/packaging";
import {
  clusterApiManager,
  clusterApiProviders,
  clusterApiRelease,
  createTemporaryFolder,
  fittingComponents,
  type KubernetesNode,
  startNode,
  type TemporaryFolder,
  waitFor,
  whyUnavailable,
} from "@rookery/testing";
import { parse } from "yaml";
import { Shell } from "./document.ts";
import { InstanceLogs } from "./instance-logs.ts";
import { successionsIn } from "./logged-reconciles.ts";
import { Administrator } from "./running-operator.ts";

const deploy = join(import.meta.dirname, "../../../deploy");
const [core] = clusterApiProviders;
const skip = await whyUnavailable(() => clusterApiRelease(core, "v1.13.6"));
const watched = ["watch1", "watch2", "watch3"];
const rbac = "Cluster";
const minutes = (count: number) => count * 60_000;

/** The last resort of a provider, which is there first, and the instance that selects namespaces. */
interface Instances {
  readonly kind: ProviderKind;
  readonly name: string;
  readonly version: string;
  readonly rest: string;
  readonly selecting: string;
}

const stock: Instances = {
  kind: "CoreProvider",
  name: "cluster-api",
  version: "v1.13.6",
  rest: "capi1-system",
  selecting: "capi2-system",
};
const ours: Instances = {
  kind: "InfrastructureProvider",
  name: "nested",
  version: "v0.3.0",
  rest: "capn1-system",
  selecting: "capn2-system",
};
const providers = [stock, ours];
/** Every reconcile is logged, and a lease that nobody gives back is not waited for long. */
const manager = {
  verbosity: 5,
  leaderElection: { leaseDuration: "8s", renewDeadline: "6s", retryPeriod: "1s" },
};

describe("two instances of the real core and of a provider of ours, in pods", { skip }, () => {
  let node: KubernetesNode;
  let client: Client;
  let admin: Administrator;
  let folder: TemporaryFolder;
  let logs: InstanceLogs;

  before(async () => {
    node = await startNode();
    client = createClient(await loadConfig({ path: node.kubeconfig }));
    admin = new Administrator(client, minutes(5));
    folder = await createTemporaryFolder("instances-e2e");
    logs = new InstanceLogs({ kubernetes: node, client, folder: folder.path });
    await node.importImage(await rookeryImage({ name: "docker.io/library/rookery:0.0.0" }));
    await node.importImage({
      name: "registry.k8s.io/cluster-api/cluster-api-controller:v1.13.6",
      entries: [{ path: "manager", source: await clusterApiManager(), mode: 0o755 }],
      entrypoint: ["/manager"],
      user: "65532:65532",
    });
    await node.kubectl(["apply", "--filename", join(deploy, "operator.yaml")]);
    for (const name of watched) await admin.makeNamespace(name);
    await offer(stock, (await clusterApiRelease(core, stock.version)).components);
    await offer(
      ours,
      await readFile(join(deploy, "nested/infrastructure-components.yaml"), "utf8"),
    );
    // The other half of the provider, which is not installed here, brings it.
    const file = "crds/nestedcontrolplanes.controlplane.cluster.x-k8s.io.yaml";
    await node.applyCrd(parse(await readFile(join(deploy, file), "utf8")));
    await node.kubectl([
      ...["wait", "deployment/rookery-operator", "--namespace=rookery-system"],
      ...["--for=condition=Available", "--timeout=300s"],
    ]);
  });
  after(async () => {
    await logs?.[Symbol.asyncDispose]();
    await client?.destroy();
    await folder?.[Symbol.asyncDispose]();
    await node?.[Symbol.asyncDispose]();
  });

  async function offer({ name, version, rest, selecting }: Instances, text: string): Promise<void> {
    for (const [index, namespace] of [rest, selecting].entries()) {
      await admin.makeNamespace(namespace);
      const components = name === stock.name ? fittingComponents(node, text, index) : text;
      await admin.offer(namespace, { name, version, components });
    }
  }

  const create = ({ kind, name, version }: Instances, namespace: string, watch: object) =>
    // Until the operator has told API servers of its authority, they cannot ask it.
    waitFor(() => admin.create(kind, { namespace, name }, { version, manager, watch }), {
      what: `${kind} ${namespace}/${name} to be taken`,
      timeout: minutes(2),
    });
  const select = ({ kind, name, selecting }: Instances, watch: object) =>
    admin.change(kind, { namespace: selecting, name }, { watch });

  /** Waits until an instance is ready, and says that it watches what is expected. */
  async function watches({ kind, name }: Instances, namespace: string, expected: object) {
    const key = { namespace, name };
    await admin.conditionIs(kind, key, ["Ready", "Ready"]);
    let last: object | undefined;
    await waitFor(
      async () => {
        last = (await admin.get(kind, key)).status?.watch;
        return isDeepStrictEqual(last, expected);
      },
      {
        what: `${kind} ${namespace}/${name} to watch ${JSON.stringify(expected)}`,
        detail: () => `it says ${JSON.stringify(last)}`,
        timeout: minutes(3),
      },
    );
  }

  /** Makes a Cluster and its infrastructure in each of the namespaces; webhooks of both let them pass. */
  async function makeClusters(name: string): Promise<void> {
    const apiGroup = "infrastructure.cluster.x-k8s.io";
    const infrastructure = { apiGroup, kind: "NestedCluster", name };
    const manifests = watched.flatMap((namespace) => [
      { apiVersion: `${apiGroup}/v1alpha4`, kind: "NestedCluster", metadata: { namespace, name } },
      {
        apiVersion: "cluster.x-k8s.io/v1beta2",
        kind: "Cluster",
        metadata: { namespace, name },
        spec: { infrastructureRef: infrastructure },
      },
    ]);
    const stdin = manifests.map((manifest) => JSON.stringify(manifest)).join("\n---\n");
    await waitFor(() => node.kubectl(["apply", "--server-side", "--filename=-"], { stdin }), {
      what: `Clusters ${name} to be taken`,
      timeout: minutes(2),
    });
  }

  /** Waits until each Cluster is reconciled last by who has its namespace: the one that selects it, or the rest. */
  async function reconciledBy(selected: readonly string[], names: readonly string[]) {
    const expected = providers.flatMap(({ rest, selecting }) =>
      watched.flatMap((namespace) => {
        const instance = selected.includes(namespace) ? selecting : rest;
        return names.map((name) => ({ instance, others: [rest, selecting], namespace, name }));
      }),
    );
    let missing: typeof expected = [];
    await waitFor(
      async () => {
        const all = await logs.reconciles();
        missing = expected.filter(({ instance, others, namespace, name }) => {
          const last = all.findLast(
            (one) =>
              one.namespace === namespace && one.name === name && others.includes(one.instance),
          );
          return last?.instance !== instance;
        });
        return missing.length === 0;
      },
      {
        what: "each Cluster to be reconciled by its instance",
        detail: () => JSON.stringify(missing),
        timeout: minutes(3),
        interval: 500,
      },
    );
  }

  it("one instance watches all namespaces", async () => {
    for (const each of providers) await create(each, each.rest, { rest: true });
    for (const each of providers) await watches(each, each.rest, { by: "flag", first: true, rbac });
    await makeClusters("all");
    await reconciledBy([], ["all"]);
  });

  it("another one has the namespaces that it selects, and the first excludes them", async () => {
    const namespaces = ["watch1", "watch2"];
    // The stock manager cannot do with less while it has two.
    for (const each of providers) await create(each, each.selecting, { namespaces, rbac });
    for (const each of providers) {
      const by = each === stock ? "proxy" : "flag";
      await watches(each, each.selecting, { by, first: false, rbac, namespaces });
      await watches(each, each.rest, { by, first: true, rbac, excludedNamespaces: namespaces });
    }
    await makeClusters("divided");
    await reconciledBy(namespaces, ["all", "divided"]);
  });

  it("a namespace moves back, and one that is left is by the flag of stock managers, with rights there alone", async () => {
    const namespaces = ["watch2"];
    const narrow = "Namespaced";
    for (const each of providers) await select(each, { namespaces, rbac: narrow });
    for (const each of providers) {
      const watched = { by: "flag", first: false, rbac: narrow, namespaces };
      await watches(each, each.selecting, watched);
      const by = each === stock ? "proxy" : "flag";
      await watches(each, each.rest, { by, first: true, rbac, excludedNamespaces: namespaces });
    }
    await reconciledBy(namespaces, ["all", "divided"]);
    await makeClusters("moved");
    await reconciledBy(namespaces, ["all", "divided", "moved"]);
  });

  it("rookery shards tells of all of it, and has nothing to complain about", async () => {
    const shell = await Shell.create(node, folder.path);
    const printed = await shell.run("rookery shards");
    const rows = printed.split("\n").map((line) => line.split(/ {2,}/));
    const cells = rows.slice(1).map((row) => row.slice(0, 5));
    assert.deepEqual(cells, [
      ["CoreProvider cluster-api", "capi1-system (first)", "all but watch2", "proxy", "6"],
      ["CoreProvider cluster-api", "capi2-system", "watch2", "flag", "3"],
      ["InfrastructureProvider nested", "capn1-system (first)", "all but watch2", "flag", "6"],
      ["InfrastructureProvider nested", "capn2-system", "watch2", "flag", "3"],
      [""],
    ]);
    // Their metrics can be read without rights of one's own.
    for (const row of rows.slice(3, 5)) assert.match(row.slice(5).join(" "), /^[\d.]+ \d+$/);
  });

  it("and every reconcile was by the instance that had the namespace then", async () => {
    const all = await logs.reconciles();
    for (const { rest, selecting } of providers) {
      const own = all.filter(({ instance }) => instance === rest || instance === selecting);
      assert.deepEqual(successionsIn(own), {
        watch1: [rest, selecting, rest].join(", "),
        watch2: [rest, selecting].join(", "),
        watch3: rest,
      });
    }
  });
});
