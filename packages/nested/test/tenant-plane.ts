import { coreKinds, customResourceDefinitionOf, customResourceDefinitions } from "@rookery/api";
import { type Client, createClient, loadConfig } from "@rookery/client";
import {
  builtInResources,
  type Condition,
  getCondition,
  isForbidden,
  type KubeObject,
  type Resource,
  restrictedNamespace,
} from "@rookery/kube";
import type { NestedOptions } from "@rookery/nested";
import { type Kubernetes, startKubernetes, waitFor } from "@rookery/testing";
import { coreClusters } from "./core-resources.ts";
import { ShippedManagers, startShippedCore } from "./shipped-managers.ts";
import { resources } from "./tenant.ts";

const patience = 60_000;

export const components = {
  etcd: resources.etcd,
  apiserver: resources.apiserver,
  controllerManager: resources.controllerManager,
};

export type ComponentName = keyof typeof components;

/** What a tenant writes; a field that is not there is left to its default. */
export interface Wish {
  readonly etcd?: object;
  readonly apiserver?: object;
  readonly controllerManager?: object;
  readonly controlPlane?: object;
}

interface PlaneParts extends Pick<TenantPlane, "kubernetes" | "admin"> {
  readonly managers: ShippedManagers;
}

/** A real kube-apiserver, the managers with their own accounts, and tenants with the role that ships. */
export class TenantPlane implements AsyncDisposable {
  readonly kubernetes: Kubernetes;
  /** The administrator of all. */
  readonly admin: Client;
  readonly #managers: ShippedManagers;
  readonly #stack: AsyncDisposableStack;
  #running: AsyncDisposable | undefined;

  static async start(allowances: NestedOptions["allowances"] = {}): Promise<TenantPlane> {
    await using stack = new AsyncDisposableStack();
    const kubernetes = stack.use(await startKubernetes({ private: true }));
    const own = customResourceDefinitions().filter(({ metadata }) =>
      metadata.name.startsWith("nested"),
    );
    const core = coreKinds.map(customResourceDefinitionOf);
    await Promise.all([...own, ...core].map((crd) => kubernetes.applyCrd(crd)));
    const admin = stack.use(createClient(await loadConfig({ path: kubernetes.kubeconfig })));
    stack.use(await startShippedCore(kubernetes));
    const managers = stack.use(await ShippedManagers.install(kubernetes));
    const plane = new TenantPlane({ kubernetes, admin, managers }, stack.move());
    await plane.restartManagers(allowances);
    return plane;
  }

  private constructor(parts: PlaneParts, stack: AsyncDisposableStack) {
    this.kubernetes = parts.kubernetes;
    this.admin = parts.admin;
    this.#managers = parts.managers;
    this.#stack = stack;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#running?.[Symbol.asyncDispose]();
    await this.#stack.disposeAsync();
  }

  /** Both managers anew, with other flags. */
  async restartManagers(allowances: NestedOptions["allowances"] = {}): Promise<void> {
    await this.#running?.[Symbol.asyncDispose]();
    this.#running = await this.#managers.start({ allowances });
  }

  async as(user: string, ...groups: readonly string[]): Promise<Client> {
    const config = await loadConfig({ path: this.kubernetes.kubeconfig });
    const impersonate = { user, groups: [...groups, "system:authenticated"] };
    return createClient({ ...config, user: { ...config.user, impersonate } });
  }

  /** Somebody with the role for tenants in a namespace of their own, which takes restricted pods alone. */
  async tenant(name: string): Promise<TenantAccount> {
    await this.admin.resource(builtInResources.namespaces).create(restrictedNamespace(name, {}));
    const apiGroup = "rbac.authorization.k8s.io";
    const binding = {
      apiVersion: `${apiGroup}/v1`,
      kind: "RoleBinding",
      metadata: { namespace: name, name: "tenant" },
      roleRef: { apiGroup, kind: "ClusterRole", name: "nested-tenant" },
      subjects: [{ apiGroup, kind: "User", name }],
    };
    await (await this.admin.kind<KubeObject>(binding)).create(binding);
    const client = this.#stack.use(await this.as(name));
    return new TenantAccount(client, this.admin, name);
  }
}

/** What one tenant does, and what it comes to. */
export class TenantAccount {
  readonly client: Client;
  readonly namespace: string;
  readonly #admin: Client;

  constructor(client: Client, admin: Client, namespace: string) {
    this.client = client;
    this.#admin = admin;
    this.namespace = namespace;
  }

  /** A cluster with all that belongs to it, all of one name. */
  async make(name: string, wish: Wish = {}): Promise<void> {
    const reference = ({ group, kind }: Resource) => ({ apiGroup: group, kind, name });
    await this.create(coreClusters, name, {
      controlPlaneRef: reference(resources.controlPlanes),
      infrastructureRef: reference(resources.clusters),
    });
    await this.create(resources.clusters, name, {});
    const named = Object.entries(components).map(([field, { group, version, kind }]) => [
      field,
      { apiVersion: `${group}/${version}`, kind, name },
    ]);
    const spec = { ...Object.fromEntries(named), ...wish.controlPlane };
    await this.create(resources.controlPlanes, name, spec);
    for (const [field, resource] of Object.entries(components)) {
      await this.create(resource, name, wish[field as ComponentName] ?? {});
    }
  }

  create(resource: Resource, name: string, spec: object, metadata: object = {}) {
    const { group, version, kind } = resource;
    return this.client.resource<KubeObject>(resource).create({
      apiVersion: `${group}/${version}`,
      kind,
      metadata: { ...metadata, namespace: this.namespace, name },
      spec,
    });
  }

  async change(resource: Resource, name: string, patch: object): Promise<void> {
    await this.client.resource(resource).patch(this.#key(name), { type: "merge", patch });
  }

  /** Waits until a condition has a reason, and returns its message. */
  async hears(
    resource: Resource,
    name: string,
    { type, reason }: { readonly type: string; readonly reason: string },
  ): Promise<string> {
    let last: readonly Condition[] | undefined;
    return waitFor(
      async () => {
        const found = await this.client.resource<Conditioned>(resource).get(this.#key(name));
        last = found.status?.conditions;
        const condition = getCondition(last, type);
        return condition?.reason === reason && (condition.message || reason);
      },
      {
        what: `${type} of ${resource.kind} ${name} to be ${reason}`,
        detail: () => JSON.stringify(last),
        timeout: patience,
      },
    );
  }

  /** Whether the tenant itself is refused to do something. */
  async isForbidden(act: (client: Client) => Promise<unknown>): Promise<boolean> {
    try {
      await act(this.client);
      return false;
    } catch (error) {
      if (isForbidden(error)) return true;
      throw error;
    }
  }

  /** The objects of a kind in the namespace, as the administrator sees them. */
  async list<T extends KubeObject>(group: string, kind: string): Promise<readonly T[]> {
    const resource = await this.#admin.kind<T>({ group, kind });
    return (await resource.list({ namespace: this.namespace })).items;
  }

  /** Waits until there is an object of the name, and returns it. */
  async has<T extends KubeObject>(group: string, kind: string, name: string): Promise<T> {
    return waitFor(
      async () => (await this.list<T>(group, kind)).find((object) => object.metadata.name === name),
      { what: `${kind} ${name} of ${this.namespace}`, timeout: patience },
    );
  }

  #key(name: string) {
    return { namespace: this.namespace, name };
  }
}

type Conditioned = KubeObject<unknown, { readonly conditions?: readonly Condition[] }>;
