import type { Client } from "@rookery/client";
import { type HostileServer, type Kubernetes, waitFor } from "@rookery/testing";
import { installComponents, startInstalled, systemNamespace } from "./installation.ts";
import { adminClient, People, patience, RunningProvider } from "./running-provider.ts";
import { type Simulator, startSimulator } from "./vcsim.ts";

/** A server that holds up whoever asks it is asked no more in this time once it holds all it may. */
const steadyMs = 1500;

/** What takes less says more of the machine's load than of who is in the way. */
const noiseMs = 250;

type Server = Pick<HostileServer, "server" | "thumbprint">;

/** Of the shipped controllers. */
const concurrency = 10;

/**
 * A management cluster whose provider runs with the account and the roles that are shipped, a vCenter
 * for honest clusters, and tenants that have a namespace each.
 */
export class RemoteWorld implements AsyncDisposable {
  readonly kubernetes: Kubernetes;
  readonly admin: Client;
  readonly people: People;
  readonly honest: Simulator;
  readonly #stack: AsyncDisposableStack;
  #made = 0;

  static async start(): Promise<RemoteWorld> {
    await using stack = new AsyncDisposableStack();
    const honest = stack.use(
      await startSimulator({ accounts: { observer: "observer", team: "t" } }),
    );
    const kubernetes = stack.use(await startInstalled(/^(clusters|machines)\./));
    const admin = stack.use(await adminClient(kubernetes));
    await installComponents(admin);
    const vcenterServers = [honest.server];
    const options = {
      credentialsNamespace: systemNamespace,
      clusterConcurrency: concurrency,
      vcenterServers,
    };
    stack.use(await RunningProvider.start(kubernetes, options));
    return new RemoteWorld({ kubernetes, admin, honest }, stack.move());
  }

  private constructor(
    parts: Pick<RemoteWorld, "kubernetes" | "admin" | "honest">,
    stack: AsyncDisposableStack,
  ) {
    this.kubernetes = parts.kubernetes;
    this.admin = parts.admin;
    this.honest = parts.honest;
    this.people = new People(parts.admin);
    this.#stack = stack;
  }

  /** Clusters of a tenant, each with an account of its own, on a server. */
  async makeClusters(namespace: string, server: Server, count: number): Promise<void> {
    await this.people.makeNamespace(namespace);
    await this.addClusters(namespace, server, count);
  }

  /** The same in a namespace that is there. */
  async addClusters(namespace: string, server: Server, count: number): Promise<void> {
    const names = Array.from({ length: count }, (_, index) => `c${index}`);
    await Promise.all(names.map((name) => this.#makeCluster(namespace, name, server)));
  }

  /** Waits until a server holds as many workers as it gets. */
  async holdsAllItMay(server: Pick<HostileServer, "count">): Promise<void> {
    let last = 0;
    let since = performance.now();
    const isSteady = async () => {
      if (server.count !== last) since = performance.now();
      last = server.count;
      return last > 0 && performance.now() - since > steadyMs;
    };
    await waitFor(isSteady, { what: "the server to hold workers", timeout: patience });
  }

  /** The milliseconds after which an honest cluster is there; of several one after another, the worst. */
  async honestTime(tries = 3): Promise<number> {
    const times: number[] = [];
    for (let time = 0; time < tries; time++) {
      this.#made += 1;
      const namespace = `honest-${this.#made}`;
      await this.people.makeNamespace(namespace);
      const began = performance.now();
      await this.#makeCluster(namespace, "a", this.honest, { username: "team", password: "t" });
      await this.people.clusterIs(namespace, "a", "Available");
      times.push(performance.now() - began);
    }
    return Math.max(noiseMs, ...times);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#stack.disposeAsync();
  }

  async #makeCluster(
    namespace: string,
    name: string,
    { server, thumbprint }: Server,
    account = { username: `${namespace}-${name}`, password: "secret" },
  ): Promise<void> {
    await this.people.makeSecret(namespace, name, account);
    const identityRef = { kind: "Secret", name } as const;
    await this.people.makeCluster(namespace, name, { server, thumbprint, identityRef });
  }
}
