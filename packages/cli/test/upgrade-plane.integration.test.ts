import assert from "node:assert/strict";
import { globSync, statSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { type Client, createClient, loadConfig, parseUntrustedConfig } from "@rookery/client";
import {
  builtInResources,
  type Condition,
  isNotFound,
  type KubeObject,
  type ObjectKey,
} from "@rookery/kube";
import { createTemporaryFolder, type TemporaryFolder, waitFor } from "@rookery/testing";
import { StartedPlane } from "../bench/start/started-plane.ts";
import { checkInstanceBoundary } from "./instance-boundary.ts";
import { type RecordedVersion, unpackPlane } from "./recorded-plane.ts";

const timeout = 120_000;
const infrastructure = "infrastructure.cluster.x-k8s.io";
const controlPlane = "controlplane.cluster.x-k8s.io";
const management = "management.cluster.x-k8s.io";
const providerKinds = ["CoreProvider", "InfrastructureProvider", "ControlPlaneProvider"];
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

/** A plane of this state on the data of a former one. */
class UpgradedPlane implements AsyncDisposable {
  readonly data: string;
  readonly client: Client;
  readonly #from: RecordedVersion;
  readonly #stack: AsyncDisposableStack;

  private constructor(
    from: RecordedVersion,
    data: string,
    client: Client,
    stack: AsyncDisposableStack,
  ) {
    this.#from = from;
    this.data = data;
    this.client = client;
    this.#stack = stack;
  }

  static async start(from: RecordedVersion): Promise<UpgradedPlane> {
    await using stack = new AsyncDisposableStack();
    const folder = stack.use(await createTemporaryFolder("upgrade"));
    const data = join(folder.path, "data");
    await unpackPlane(from, data);
    stack.use(await startWhenFree(folder));
    const client = stack.use(createClient(await loadConfig({ path: join(data, "kubeconfig") })));
    return new UpgradedPlane(from, data, client, stack.move());
  }

  async get(group: string, kind: string, key: ObjectKey): Promise<Reported> {
    return (await this.client.kind<Reported>({ group, kind })).get(key);
  }

  async untilStatus(read: () => Promise<Reported>, type: string, status: string): Promise<void> {
    await waitFor(async () => conditionOf(await read(), type)?.status === status, {
      what: `${type} to be ${status}`,
      timeout,
    });
  }

  /** Waits until a condition has a reason, and returns its message. */
  async untilReason(read: () => Promise<Reported>, type: string, reason: string): Promise<string> {
    return await waitFor(
      async () => {
        const condition = conditionOf(await read(), type);
        return condition?.reason === reason && condition.message;
      },
      { what: `${type} to be ${reason}`, timeout },
    );
  }

  async untilUpgraded(): Promise<void> {
    for (const kind of providerKinds) {
      const providers = await this.client.kind<Reported>({ group: management, kind });
      await waitFor(
        async () => {
          const { items } = await providers.list();
          return items.length > 0 && items.every((one) => this.#isUpgraded(one));
        },
        { what: `each ${kind} to be upgraded`, timeout },
      );
    }
  }

  #isUpgraded({ spec, status }: Reported): boolean {
    const { installedVersion } = status ?? {};
    return installedVersion === spec?.version && installedVersion !== this.#from;
  }

  /** The uids of a namespace's pods. */
  async podsIn(namespace: string): Promise<readonly (string | undefined)[]> {
    const pods = await this.client.kind<KubeObject>({ group: "", kind: "Pod" });
    const { items } = await pods.list({ namespace });
    return items.map(({ metadata }) => metadata.uid);
  }

  /** What the ConfigMap `kept` inside a control plane holds, by a kubeconfig in a Secret of this name. */
  async kept(namespace: string, secret: string): Promise<object | undefined> {
    const text = await waitFor(() => this.#textOf(namespace, secret), {
      what: `the Secret ${secret}`,
      timeout,
    });
    const config = await parseUntrustedConfig(text, { source: namespace });
    await using tenant = createClient(config);
    const configMaps = tenant.resource<KubeObject & { data?: object }>(builtInResources.configMaps);
    return (await configMaps.get({ namespace: "default", name: "kept" })).data;
  }

  async #textOf(namespace: string, name: string): Promise<string> {
    const secrets = this.client.resource<KubeObject & { data?: Record<string, string> }>(
      builtInResources.secrets,
    );
    const { data } = await secrets.get({ namespace, name });
    return Buffer.from(data?.value ?? "", "base64").toString("utf8");
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#stack.disposeAsync();
  }
}

describe("npm start on the data of v0.1.0", () => {
  let plane: UpgradedPlane;
  before(async () => {
    plane = await UpgradedPlane.start("v0.1.0");
  });
  after(() => plane?.[Symbol.asyncDispose]());

  it("upgrades every provider", () => plane.untilUpgraded());

  it("keeps control planes running, also one with fields that are closed now, and says so", async () => {
    const key = { namespace: "petrel", name: "petrel" };
    const read = () => plane.get(controlPlane, "NestedAPIServer", key);
    const message = await plane.untilReason(read, "UpToDate", "NotAllowed");
    assert.match(message, /--allowed-extra-args=rookery:history/);
    assert.match(message, /hostNetwork is not allowed/);
    assert.equal(conditionOf(await read(), "Ready")?.status, "True");
    assert.deepEqual(await plane.podsIn("emperor"), ["f364bd95-58e9-47f5-8135-66e87f3371ee"]);
    assert.deepEqual(await plane.podsIn("petrel"), ["37b9a7ec-6edb-4eb4-a486-b183361bb584"]);
  });

  it("keeps the server of a cluster whose identity lists none, and says what to add", async () => {
    const key = { namespace: "gull", name: "gull" };
    const read = () => plane.get(infrastructure, "VSphereCluster", key);
    const message = await plane.untilReason(read, "ServerAllowed", "KeptFromBefore");
    assert.match(message, /--vcenter-server=127\.[\d.]+:8989, or set spec\.allowedServers/);
    assert.equal(conditionOf(await read(), "Ready")?.status, "True");
    await waitFor(async () => (await read()).status?.connection?.kept === true, {
      what: "the cluster to remember its server",
      timeout,
    });
  });

  it("refuses another server to the same identity, with both ways out", async () => {
    const clusters = await plane.client.kind<KubeObject>({
      group: infrastructure,
      kind: "VSphereCluster",
    });
    const identityRef = { kind: "VSphereClusterIdentity", name: "gull" };
    const refusal = () =>
      clusters
        .create({
          apiVersion: `${infrastructure}/v1beta1`,
          kind: "VSphereCluster",
          metadata: { namespace: "gull", name: "new" },
          spec: { server: "vcenter.evil.example", identityRef },
        } as KubeObject)
        .then(() => "accepted", String);
    // A webhook that is new in this version is trusted once the manager has injected its authority, within 20 s.
    const message = await waitFor(
      async () => {
        const text = await refusal();
        return !text.includes("signed by unknown authority") && text;
      },
      { what: "the new webhooks to be trusted", timeout },
    );
    assert.match(message, /--vcenter-server.*allowedServers/s);
  });

  it("makes the instance of a tenant a boundary", async () => {
    await waitFor(() => checkInstanceBoundary(join(plane.data, "kubeconfig")).then(() => true), {
      what: "the account of chinstrap's instance to have its own namespaces alone",
      timeout,
    });
  });

  it("gives people a kubeconfig of their own, and leaves the one of controllers as it is", async () => {
    for (const secret of ["emperor-user-kubeconfig", "emperor-kubeconfig"]) {
      assert.deepEqual(await plane.kept("emperor", secret), { a: "b" });
    }
  });

  it("closes namespaces of tenants to pods that are not restricted", async () => {
    const { metadata } = await plane.client
      .resource(builtInResources.namespaces)
      .get({ name: "emperor" });
    assert.equal(metadata.labels?.["pod-security.kubernetes.io/enforce"], "restricted");
  });

  it("keeps the files of the folder to their owner", () => {
    const files = globSync(["*", "pki/*"], { cwd: plane.data }).filter((file) =>
      statSync(join(plane.data, file)).isFile(),
    );
    assert.ok(files.includes("store.sqlite") && files.includes("kubeconfig"), files.join(" "));
    const open = [".", ...files].filter(
      (file) => (statSync(join(plane.data, file)).mode & 0o077) !== 0,
    );
    assert.deepEqual(open, []);
  });
});

describe("npm start on the data of v0.2.0", () => {
  let plane: UpgradedPlane;
  before(async () => {
    plane = await UpgradedPlane.start("v0.2.0");
  });
  after(() => plane?.[Symbol.asyncDispose]());

  it("upgrades every provider", () => plane.untilUpgraded());

  it("keeps control planes running, with what is in them", async () => {
    assert.deepEqual(await plane.podsIn("emperor"), ["5c10f559-82e8-4d11-939d-5665fb0c2d3b"]);
    assert.deepEqual(await plane.podsIn("murre"), ["5c8e1dce-50e2-4a82-8381-1f411d2356b7"]);
    for (const name of ["emperor", "murre"]) {
      assert.deepEqual(await plane.kept(name, `${name}-kubeconfig`), { a: "b" });
      const planeNow = () =>
        plane.get(controlPlane, "NestedControlPlane", { namespace: name, name });
      await plane.untilStatus(planeNow, "Ready", "True");
    }
  });

  it("keeps clusters with a vCenter, and says what keeps the others waiting", async () => {
    for (const [name, group, status] of [
      ["adelie", infrastructure, "True"],
      ["chinstrap", infrastructure, "True"],
      ["gentoo", "infrastructure.gentoo.example.com", "True"],
      ["skua", infrastructure, "False"],
    ] as const) {
      const cluster = () => plane.get(group, "VSphereCluster", { namespace: name, name });
      await plane.untilStatus(cluster, "Ready", status);
    }
  });

  it("deletes tenants with their namespaces, also where the Secret of an identity goes first", async () => {
    const names = ["adelie", "chinstrap", "gentoo", "murre", "skua"];
    const namespaces = plane.client.resource(builtInResources.namespaces);
    await Promise.all(names.map((name) => namespaces.delete({ name })));
    for (const name of names) {
      await waitFor(
        () =>
          namespaces.get({ name }).then(
            () => false,
            (error: unknown) => isNotFound(error),
          ),
        { what: `the namespace ${name} to be gone`, timeout },
      );
    }
  });
});
