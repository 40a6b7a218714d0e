import assert from "node:assert/strict";
import { globSync, statSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { type Client, createClient, loadConfig, parseUntrustedConfig } from "@rookery/client";
import { builtInResources, type Condition, type KubeObject, type ObjectKey } from "@rookery/kube";
import { createTemporaryFolder, type TemporaryFolder, waitFor } from "@rookery/testing";
import { StartedPlane } from "../bench/start/started-plane.ts";
import { checkInstanceBoundary } from "./instance-boundary.ts";
import { unpackPlaneBeforeHardening } from "./plane-before-hardening.ts";

const timeout = 120_000;
const infrastructure = "infrastructure.cluster.x-k8s.io";
const controlPlane = "controlplane.cluster.x-k8s.io";
const management = "management.cluster.x-k8s.io";
const providerKinds = ["CoreProvider", "InfrastructureProvider", "ControlPlaneProvider"];
/** The pods of both control planes, as the state before made them. */
const podsBefore = {
  emperor: "f364bd95-58e9-47f5-8135-66e87f3371ee",
  petrel: "37b9a7ec-6edb-4eb4-a486-b183361bb584",
};

type Reported = KubeObject<{ readonly version?: string }> & {
  readonly status?: {
    readonly conditions?: readonly Condition[];
    readonly installedVersion?: string;
    readonly connection?: { readonly kept?: boolean };
  };
};

/** The data names its networks, which another embedded Kubernetes of the machine may have just now. */
async function startWhenFree(folder: TemporaryFolder): Promise<StartedPlane> {
  const plane = await StartedPlane.start(folder, "--port", "0");
  try {
    await plane.ready();
    return plane;
  } catch (error) {
    await plane[Symbol.asyncDispose]();
    if (!plane.output.includes("could not take the addresses")) throw error;
  }
  await delay(1_000);
  return startWhenFree(folder);
}

function conditionOf({ status }: Reported, type: string): Condition | undefined {
  return status?.conditions?.find((condition) => condition.type === type);
}

function isUpgraded({ spec, status }: Reported): boolean {
  const { installedVersion } = status ?? {};
  return installedVersion === spec?.version && installedVersion !== "v0.1.0";
}

describe("npm start on the data of the state before", () => {
  const closing = new AsyncDisposableStack();
  let data: string;
  let client: Client;

  before(async () => {
    const folder = closing.use(await createTemporaryFolder("upgrade"));
    data = join(folder.path, "data");
    await unpackPlaneBeforeHardening(data);
    closing.use(await startWhenFree(folder));
    client = closing.use(createClient(await loadConfig({ path: join(data, "kubeconfig") })));
  });
  after(() => closing.disposeAsync());

  async function get(group: string, kind: string, key: ObjectKey): Promise<Reported> {
    return (await client.kind<Reported>({ group, kind })).get(key);
  }

  /** Waits until a condition has a reason, and returns its message. */
  async function untilReason(
    read: () => Promise<Reported>,
    type: string,
    reason: string,
  ): Promise<string> {
    return await waitFor(
      async () => {
        const condition = conditionOf(await read(), type);
        return condition?.reason === reason && condition.message;
      },
      { what: `${type} to be ${reason}`, timeout },
    );
  }

  it("upgrades every provider", async () => {
    for (const kind of providerKinds) {
      const providers = await client.kind<Reported>({ group: management, kind });
      await waitFor(
        async () => {
          const { items } = await providers.list();
          return items.length > 0 && items.every(isUpgraded);
        },
        { what: `each ${kind} to be upgraded`, timeout },
      );
    }
  });

  it("keeps control planes running, also one with fields that are closed now, and says so", async () => {
    const key = { namespace: "petrel", name: "petrel" };
    const read = () => get(controlPlane, "NestedAPIServer", key);
    const message = await untilReason(read, "UpToDate", "NotAllowed");
    assert.match(message, /--allowed-extra-args=rookery:history/);
    assert.match(message, /hostNetwork is not allowed/);
    assert.equal(conditionOf(await read(), "Ready")?.status, "True");
    for (const [namespace, uid] of Object.entries(podsBefore)) {
      const pods = await client.kind<KubeObject>({ group: "", kind: "Pod" });
      const { items } = await pods.list({ namespace });
      assert.deepEqual(
        items.map(({ metadata }) => metadata.uid),
        [uid],
      );
    }
  });

  it("keeps the server of a cluster whose identity lists none, and says what to add", async () => {
    const key = { namespace: "gull", name: "gull" };
    const read = () => get(infrastructure, "VSphereCluster", key);
    const message = await untilReason(read, "ServerAllowed", "KeptFromBefore");
    assert.match(message, /--vcenter-server=127\.[\d.]+:8989, or set spec\.allowedServers/);
    assert.equal(conditionOf(await read(), "Ready")?.status, "True");
    await waitFor(async () => (await read()).status?.connection?.kept === true, {
      what: "the cluster to remember its server",
      timeout,
    });
  });

  it("refuses another server to the same identity, with both ways out", async () => {
    const clusters = await client.kind<KubeObject>({
      group: infrastructure,
      kind: "VSphereCluster",
    });
    const identityRef = { kind: "VSphereClusterIdentity", name: "gull" };
    const made = clusters.create({
      apiVersion: `${infrastructure}/v1beta1`,
      kind: "VSphereCluster",
      metadata: { namespace: "gull", name: "new" },
      spec: { server: "vcenter.evil.example", identityRef },
    } as KubeObject);
    await assert.rejects(made, /--vcenter-server.*allowedServers/s);
  });

  it("makes the instance of a tenant a boundary", async () => {
    await waitFor(() => checkInstanceBoundary(join(data, "kubeconfig")).then(() => true), {
      what: "the account of chinstrap's instance to have its own namespaces alone",
      timeout,
    });
  });

  it("gives people a kubeconfig of their own, and leaves the one of controllers as it is", async () => {
    const secrets = client.resource<KubeObject & { data?: Record<string, string> }>(
      builtInResources.secrets,
    );
    const text = async (name: string) =>
      Buffer.from(
        (await secrets.get({ namespace: "emperor", name })).data?.value ?? "",
        "base64",
      ).toString("utf8");
    const person = await waitFor(() => text("emperor-user-kubeconfig"), {
      what: "the kubeconfig for people",
      timeout,
    });
    for (const kubeconfig of [person, await text("emperor-kubeconfig")]) {
      const config = await parseUntrustedConfig(kubeconfig, { source: "emperor" });
      await using tenant = createClient(config);
      const configMaps = tenant.resource<KubeObject & { data?: object }>(
        builtInResources.configMaps,
      );
      const kept = await configMaps.get({ namespace: "default", name: "kept" });
      assert.deepEqual(kept.data, { a: "b" });
    }
  });

  it("closes namespaces of tenants to pods that are not restricted", async () => {
    const { metadata } = await client
      .resource(builtInResources.namespaces)
      .get({ name: "emperor" });
    assert.equal(metadata.labels?.["pod-security.kubernetes.io/enforce"], "restricted");
  });

  it("keeps the files of the folder to their owner", () => {
    const files = globSync(["*", "pki/*"], { cwd: data }).filter((file) =>
      statSync(join(data, file)).isFile(),
    );
    assert.ok(files.includes("store.sqlite") && files.includes("kubeconfig"), files.join(" "));
    const open = [".", ...files].filter((file) => (statSync(join(data, file)).mode & 0o077) !== 0);
    assert.deepEqual(open, []);
  });
});
