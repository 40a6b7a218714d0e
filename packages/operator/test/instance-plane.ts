import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type Client, createClient, loadConfig } from "@rookery/client";
import { configMapOf } from "@rookery/components";
import { builtInResources, type KubeObject } from "@rookery/kube";
import { type Kubernetes, PretendKubelet, startKubernetes } from "@rookery/testing";
import { installOperatorAccount } from "./operator-account.ts";
import { Administrator, type ProviderKey, RunningOperator } from "./running-operator.ts";
import { smallProvider } from "./small-provider.ts";

const deploy = join(import.meta.dirname, "../../../deploy");
/** The version of the release, and so of all instances. */
export const version = "v0.3.0";
const core = { namespace: "core-system", name: "cluster-api" };

/** The instance of the vSphere provider that tenants share, and that of one tenant alone. */
export const shared = { namespace: "capv-system", name: "vsphere" };
export const own = { namespace: "chinstrap-capv-system", name: "vsphere" };
/** A tenant with an instance of its own, and its neighbour. */
export const tenant = "chinstrap";
export const neighbour = "adelie";
export const kind = "InfrastructureProvider";

/**
 * A Kubernetes with the operator, acting as the account and with the roles that ship, and Rookery's vSphere
 * provider twice. No manager of it runs: what its accounts may do is asked with their tokens.
 */
export class InstancePlane implements AsyncDisposable {
  readonly kubernetes: Kubernetes;
  readonly admin: Administrator;
  readonly #account: Client;
  readonly #stack: AsyncDisposableStack;
  #operator: RunningOperator | undefined;

  static async start(): Promise<InstancePlane> {
    await using stack = new AsyncDisposableStack();
    const kubernetes = stack.use(await startKubernetes({ private: true }));
    const client = stack.use(createClient(await loadConfig({ path: kubernetes.kubeconfig })));
    stack.use(new PretendKubelet(client));
    const account = stack.use(await installOperatorAccount(kubernetes));
    const plane = new InstancePlane({ kubernetes, account, client }, stack.move());
    await plane.#fill();
    return plane;
  }

  private constructor(
    parts: {
      readonly kubernetes: Kubernetes;
      readonly account: Client;
      readonly client: Client;
    },
    stack: AsyncDisposableStack,
  ) {
    this.kubernetes = parts.kubernetes;
    this.#account = parts.account;
    this.admin = new Administrator(parts.client);
    this.#stack = stack;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stopOperator();
    await this.#stack.disposeAsync();
  }

  async startOperator(): Promise<void> {
    this.#operator = await RunningOperator.start(this.#account);
  }

  async stopOperator(): Promise<void> {
    await this.#operator?.[Symbol.asyncDispose]();
    this.#operator = undefined;
  }

  /** Declares an instance of the vSphere provider, and waits until it is ready. */
  async install(key: ProviderKey, spec: object): Promise<void> {
    await this.offer(key.namespace);
    await this.admin.create(kind, key, { version, ...spec });
    await this.isReady(key);
  }

  isReady(key: ProviderKey) {
    return this.admin.conditionIs(kind, key, ["Ready", "Ready"]);
  }

  /** The release of the vSphere provider as its files are, in a ConfigMap. */
  async offer(namespace: string): Promise<void> {
    await this.admin.makeNamespace(namespace);
    const read = (file: string) => readFile(join(deploy, "vsphere", file), "utf8");
    const components = await read("infrastructure-components.yaml");
    const meta = { name: `vsphere-${version}`, namespace, labels: { provider: "vsphere" } };
    const release = { components, metadata: await read("metadata.yaml"), version };
    await this.admin.client
      .resource<KubeObject>(builtInResources.configMaps)
      .create(configMapOf(meta, release));
  }

  /** A client with the token of a service account, as its pods have it. */
  async as(namespace: string, name: string): Promise<Client> {
    const { kubeconfig } = await this.kubernetes.serviceAccount({ namespace, name });
    return this.#stack.use(createClient(await loadConfig({ path: kubeconfig })));
  }

  async #fill(): Promise<void> {
    for (const name of [tenant, neighbour]) await this.admin.makeNamespace(name);
    await this.admin.makeSecret(neighbour, "token", { value: "hush" });
    await this.startOperator();
    const components = smallProvider({ name: "core" });
    await this.admin.install("CoreProvider", core, { name: core.name, version, components });
  }
}
