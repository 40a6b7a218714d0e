import { type Client, createClient, loadConfig } from "@rookery/client";
import { coreRelease, setupCore } from "@rookery/core";
import type { KubeObject } from "@rookery/kube";
import { type NestedOptions, nestedRelease, setupNested } from "@rookery/nested";
import { installAccess, type Kubernetes, waitFor } from "@rookery/testing";
import { runControllers } from "./run-controllers.ts";

interface Role extends KubeObject {
  readonly aggregationRule?: object;
  readonly rules?: readonly object[];
}

const image = "rookery:test";
const providers = [
  { file: "infrastructure-components.yaml", controllers: ["infrastructure"] },
  { file: "control-plane-components.yaml", controllers: ["control-plane"] },
] as const;

/** Both managers of the provider in this process, each as its shipped account with its shipped roles. */
export class ShippedManagers implements AsyncDisposable {
  readonly #clients: readonly Client[];
  readonly #stack: AsyncDisposableStack;

  /** Needs the controller that aggregates cluster roles. */
  static async install(kubernetes: Kubernetes): Promise<ShippedManagers> {
    await using stack = new AsyncDisposableStack();
    const release = nestedRelease({ image });
    const accounts = providers.map(({ file }) => shippedClient(kubernetes, release.get(file)));
    const clients = (await Promise.all(accounts)).map((client) => stack.use(client));
    return new ShippedManagers(clients, stack.move());
  }

  private constructor(clients: readonly Client[], stack: AsyncDisposableStack) {
    this.#clients = clients;
    this.#stack = stack;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#stack.disposeAsync();
  }

  /** Starts both managers, which send their requests through `via`; they stop when disposed of. */
  async start(
    options: Omit<NestedOptions, "controllers"> = {},
    via: (client: Client) => Client = (client) => client,
  ): Promise<AsyncDisposable> {
    await using stack = new AsyncDisposableStack();
    for (const [index, { controllers }] of providers.entries()) {
      const client = this.#clients[index];
      if (!client) continue;
      const setup = { ...options, controllers };
      stack.use(await runControllers(via(client), (parts) => setupNested(parts, setup)));
    }
    return stack.move();
  }
}

/** Rookery's core in this process, as its shipped account. */
export async function startShippedCore(kubernetes: Kubernetes): Promise<AsyncDisposable> {
  await using stack = new AsyncDisposableStack();
  const manifests = coreRelease({ image }).get("core-components.yaml");
  const client = stack.use(await shippedClient(kubernetes, manifests));
  stack.use(await runControllers(client, async (parts) => setupCore(parts)));
  return stack.move();
}

/** A client of the account among the manifests of a release, as soon as its roles hold their rules. */
async function shippedClient(
  kubernetes: Kubernetes,
  manifests: readonly object[] = [],
): Promise<Client> {
  await installAccess(kubernetes, manifests);
  const objects = manifests as readonly Role[];
  const aggregated = objects.filter(({ aggregationRule }) => aggregationRule !== undefined);
  for (const { metadata } of aggregated) await isAggregated(kubernetes, metadata.name ?? "");
  const account = objects.find(({ kind }) => kind === "ServiceAccount");
  const { namespace = "", name = "" } = account?.metadata ?? {};
  const { kubeconfig } = await kubernetes.serviceAccount({ namespace, name });
  return createClient(await loadConfig({ path: kubeconfig }));
}

async function isAggregated(kubernetes: Kubernetes, name: string): Promise<void> {
  const path = `/apis/rbac.authorization.k8s.io/v1/clusterroles/${name}`;
  await waitFor(async () => ((await kubernetes.request("GET", path)).body as Role).rules?.length, {
    what: `the rules of the ClusterRole ${name}`,
    timeout: 60_000,
  });
}
