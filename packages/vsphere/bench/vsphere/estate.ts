import type { VSphereCluster, VSphereVM } from "@rookery/api";
import type { Client } from "@rookery/client";
import { hasConditionStatus, type KubeObject, objectKeyOf, type Resource } from "@rookery/kube";
import { type Kubernetes, waitFor } from "@rookery/testing";
import { findVirtualMachineByUuid } from "../../src/vim/inventory.ts";
import { reconfigureVirtualMachine } from "../../src/vim/virtual-machine.ts";
import { clusters, virtualMachines } from "../../test/provider-resources.ts";
import { type RecordingVCenter, recordCalls } from "../../test/recording-vcenter.ts";
import {
  adminClient,
  People,
  RunningProvider,
  startKubernetesWithKinds,
} from "../../test/running-provider.ts";
import { observe, type Simulator, startSimulator } from "../../test/vcsim.ts";
import { listSessions } from "../../test/vim-calls.ts";

/** Of accounts, and of each of them. */
export interface Size {
  readonly accounts: number;
  readonly clustersEach: number;
  readonly machinesEach: number;
}

const patience = { timeout: 1_800_000, interval: 1000 };
/** Long enough that what is measured asks for no liveness that was not asked for on purpose. */
const keepAlive = 600_000;

/** Clusters of several identities on one vCenter, whose calls are counted. */
export class Estate implements AsyncDisposable {
  readonly #stack: AsyncDisposableStack;
  readonly #kubernetes: Kubernetes;
  readonly #client: Client;
  readonly #simulator: Simulator;
  readonly #size: Size;
  readonly vcenter: RecordingVCenter;

  static async start(size: Size): Promise<Estate> {
    await using stack = new AsyncDisposableStack();
    const passwords = accountsOf(size).map((name) => [name, "secret"]);
    const logins = Object.fromEntries([["observer", "observer"], ...passwords]);
    const simulator = stack.use(await startSimulator({ accounts: logins }));
    const vcenter = stack.use(await recordCalls(simulator));
    const kubernetes: Kubernetes = stack.use(await startKubernetesWithKinds());
    const client = await adminClient(kubernetes);
    stack.defer(() => client.destroy());
    const estate = new Estate({ kubernetes, client, simulator, vcenter, size }, stack.move());
    await estate.#fill();
    return estate;
  }

  private constructor(
    parts: {
      kubernetes: Kubernetes;
      client: Client;
      simulator: Simulator;
      vcenter: RecordingVCenter;
      size: Size;
    },
    stack: AsyncDisposableStack,
  ) {
    this.#kubernetes = parts.kubernetes;
    this.#client = parts.client;
    this.#simulator = parts.simulator;
    this.vcenter = parts.vcenter;
    this.#size = parts.size;
    this.#stack = stack;
  }

  async sessions(): Promise<number> {
    await using vcenter = await observe(this.#simulator);
    const all = await listSessions(vcenter);
    return all.filter(({ userName }) => userName !== "observer").length;
  }

  /** Lets every cluster be reconciled once more, and waits until each was. */
  async reconcileAll(): Promise<void> {
    const resource = this.#client.resource<VSphereCluster>(clusters);
    const { items } = await resource.list();
    // A condition that is not true is mended by the reconcile that this write causes.
    const patch = { type: "merge", patch: { status: { ready: false } } } as const;
    await each(items, async (cluster) => {
      await resource.status.patch(objectKeyOf(cluster), patch);
    });
    await this.#all(clusters, ({ status }) => (status as { ready?: boolean })?.ready === true);
  }

  /** Clones machines, gives them addresses, and waits until all of them run. */
  async makeMachines(): Promise<void> {
    const people = new People(this.#client);
    for (const namespace of accountsOf(this.#size)) {
      for (let index = 0; index < this.#size.machinesEach; index++) {
        await people.makeMachine(namespace, `${namespace}-${index}`, {});
      }
    }
    const isOn = ({ status }: VSphereVM) => status?.vmRef !== undefined;
    await this.#all<VSphereVM>(virtualMachines, isOn);
    await this.#giveAddresses();
    await this.#all<VSphereVM>(virtualMachines, ({ status }) => status?.ready === true);
  }

  async #giveAddresses(): Promise<void> {
    await using vcenter = await observe(this.#simulator);
    const { items } = await this.#client.resource<VSphereVM>(virtualMachines).list();
    for (const [index, { spec }] of items.entries()) {
      const uuid = spec.biosUUID ?? "";
      const found = await findVirtualMachineByUuid(vcenter, { uuid, kind: "bios" });
      const extraConfig = { "SET.guest.ipAddress": `10.0.0.${index + 1}` };
      if (found) await reconfigureVirtualMachine(vcenter, found, { extraConfig });
    }
  }

  async #fill(): Promise<void> {
    const people = new People(this.#client);
    const { server, thumbprint } = this.vcenter;
    await people.makeNamespace("system");
    await each(accountsOf(this.#size), async (name) => {
      await people.makeNamespace(name);
      await people.makeSecret("system", name, { username: name, password: "secret" });
      const allowed = { allowedNamespaces: { list: [name] }, allowedServers: [server] };
      await people.makeIdentity(name, { secretName: name, ...allowed });
      const identityRef = { kind: "VSphereClusterIdentity", name } as const;
      for (let index = 0; index < this.#size.clustersEach; index++) {
        const spec = { server, thumbprint, identityRef };
        await people.makeCluster(name, index === 0 ? "a" : `cluster-${index}`, spec);
      }
    });
    const options = { credentialsNamespace: "system", keepAlive };
    this.#stack.use(await RunningProvider.start(this.#kubernetes, options));
    await this.#all<VSphereCluster>(clusters, ({ status }) =>
      hasConditionStatus(status?.conditions, "Ready", "True"),
    );
  }

  async #all<T extends KubeObject>(
    resource: Resource,
    isSo: (object: T) => boolean,
  ): Promise<void> {
    await waitFor(async () => (await this.#client.resource<T>(resource).list()).items.every(isSo), {
      what: `all ${resource.plural}`,
      ...patience,
    });
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#stack.disposeAsync();
  }
}

function accountsOf({ accounts }: Size): string[] {
  return Array.from({ length: accounts }, (_, index) => `account-${index}`);
}

/** Ten at a time. */
async function each<T>(all: readonly T[], work: (one: T) => Promise<void>): Promise<void> {
  const rest = all.values();
  const worker = async () => {
    for (const one of rest) await work(one);
  };
  await Promise.all(Array.from({ length: 10 }, worker));
}
