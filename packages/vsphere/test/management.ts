import type { Client } from "@rookery/client";
import type { Kubernetes } from "@rookery/testing";
import { CoreUser, coreResources } from "./core-user.ts";
import { installComponents, startInstalled, systemNamespace } from "./installation.ts";
import { makeOwnedMachine, sayAsCore } from "./owned-machine.ts";
import { recordInstallation } from "./record-installation.ts";
import { adminClient, People, RunningProvider } from "./running-provider.ts";
import type { Simulator } from "./vcsim.ts";

/** Where a machine is, and the address that its guest gets. */
interface MachinePlace {
  readonly namespace: string;
  readonly cluster: string;
  readonly address: string;
}

/** A management cluster: a Kubernetes with the provider, and who works with it. */
export class Management implements AsyncDisposable {
  readonly kubernetes: Kubernetes;
  readonly client: Client;
  readonly people: People;
  readonly #stack: AsyncDisposableStack;

  static async start({ ca }: Simulator): Promise<Management> {
    await using stack = new AsyncDisposableStack();
    const kubernetes = stack.use(await startInstalled(/^(clusters|machines)\./));
    const client = stack.use(await adminClient(kubernetes));
    await installComponents(client);
    await recordInstallation(kubernetes, client);
    const options = { credentialsNamespace: systemNamespace, ca };
    stack.use(await RunningProvider.start(kubernetes, options));
    return new Management(kubernetes, client, stack.move());
  }

  private constructor(kubernetes: Kubernetes, client: Client, stack: AsyncDisposableStack) {
    this.kubernetes = kubernetes;
    this.client = client;
    this.people = new People(client);
    this.#stack = stack;
  }

  /** A machine of a cluster that runs, as far as Cluster API would know by then. */
  async makeMachine(simulator: Simulator, place: MachinePlace): Promise<void> {
    const { namespace, cluster, address } = place;
    const { client, people } = this;
    const name = `${cluster}-0`;
    await people.clusterIs(namespace, cluster, "Available");
    const conditions = [
      {
        type: "ControlPlaneInitialized",
        status: "True",
        reason: "Initialized",
        message: "",
        lastTransitionTime: new Date().toISOString(),
      },
    ];
    const status = { initialization: { infrastructureProvisioned: true }, conditions };
    await sayAsCore(client, coreResources.clusters, { namespace, name: cluster, status });
    await makeOwnedMachine(client, { namespace, name, cluster });
    await new CoreUser(client, people).boot(simulator, namespace, name, address);
    await people.machineIs(namespace, name, "Running");
    const nodeRef = { name };
    await sayAsCore(client, coreResources.machines, { namespace, name, status: { nodeRef } });
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#stack.disposeAsync();
  }
}
