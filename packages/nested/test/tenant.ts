import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import {
  type NestedAPIServer,
  type NestedCluster,
  type NestedControlPlane,
  nestedAPIServer,
  nestedCluster,
  nestedControllerManager,
  nestedControlPlane,
  nestedEtcd,
  resourceOf,
} from "@rookery/api";
import type { Client } from "@rookery/client";
import {
  builtInResources,
  type Condition,
  getCondition,
  isNotFound,
  type KubeObject,
  type Resource,
} from "@rookery/kube";
import { type Kubernetes, runCommand, waitFor } from "@rookery/testing";
import { type CoreCluster, coreClusters } from "./core-resources.ts";
import { podStory } from "./pod-story.ts";

/** For machines that are very busy; a test that hangs is ended by the runner. */
const patience = 500_000;
const controlPlaneGroup = "controlplane.cluster.x-k8s.io";

export const resources = {
  clusters: resourceOf(nestedCluster, "v1alpha4"),
  controlPlanes: resourceOf(nestedControlPlane, "v1alpha4"),
  etcd: resourceOf(nestedEtcd, "v1alpha4"),
  apiserver: resourceOf(nestedAPIServer, "v1alpha4"),
  controllerManager: resourceOf(nestedControllerManager, "v1alpha4"),
};

export type ComponentName = "etcd" | "apiserver" | "controllerManager";
const componentKinds = {
  etcd: "NestedEtcd",
  apiserver: "NestedAPIServer",
  controllerManager: "NestedControllerManager",
} as const satisfies Record<ComponentName, string>;

export interface TenantOptions {
  /** Specs of the components; with none, only the control plane's `version` is set. */
  readonly components?: Partial<Record<ComponentName, object>>;
  /** Names components of another tenant instead of making any. */
  readonly componentsOf?: string;
  readonly version?: string;
  readonly certificates?: object;
  /** Whether the Cluster names its control plane, or only its NestedCluster does. */
  readonly namedBy?: "Cluster" | "NestedCluster";
}

type Component = Pick<NestedAPIServer, "status"> & KubeObject;

/** One tenant as its administrator sees it: objects to write, and conditions to wait for. */
export class Tenant {
  readonly namespace: string;
  readonly name: string;
  readonly #kubernetes: Kubernetes;
  readonly #client: Client;

  constructor(
    { kubernetes, client }: { readonly kubernetes: Kubernetes; readonly client: Client },
    { namespace, name }: { readonly namespace: string; readonly name: string },
  ) {
    this.#kubernetes = kubernetes;
    this.#client = client;
    this.namespace = namespace;
    this.name = name;
  }

  /** All objects of a tenant, in no order that would help. */
  async create(options: TenantOptions): Promise<void> {
    const { components, componentsOf, version, certificates, namedBy = "Cluster" } = options;
    const names = Object.keys(componentKinds) as ComponentName[];
    const owner = components ? this.name : componentsOf;
    const references = owner
      ? Object.fromEntries(
          names.map((name) => [name, this.#reference(componentKinds[name], owner)]),
        )
      : {};
    const spec = {
      ...references,
      ...(version && { version }),
      ...(certificates && { certificates }),
    };
    const reference = this.#reference("NestedControlPlane");
    const isOwn = namedBy === "NestedCluster";
    await this.#create(resources.clusters, { ...(isOwn && { controlPlaneRef: reference }) });
    await this.#create(coreClusters, {
      infrastructureRef: {
        apiGroup: "infrastructure.cluster.x-k8s.io",
        kind: "NestedCluster",
        name: this.name,
      },
      ...(!isOwn && {
        controlPlaneRef: {
          apiGroup: controlPlaneGroup,
          kind: "NestedControlPlane",
          name: this.name,
        },
      }),
    });
    await this.#create(resources.controlPlanes, spec);
    for (const name of components ? names : []) {
      await this.#create(resources[name], components?.[name] ?? {});
    }
  }

  async change(resource: Resource, spec: object): Promise<void> {
    const patch = { type: "merge", patch: { spec } } as const;
    await this.#client.resource(resource).patch(this.#key(), patch);
  }

  async remove(): Promise<void> {
    await this.#client.resource(coreClusters).delete(this.#key());
    const isGone = () =>
      this.#client
        .resource(coreClusters)
        .get(this.#key())
        .then(() => false, isNotFound);
    await waitFor(isGone, { what: `${this} to go`, timeout: patience });
  }

  get<T extends KubeObject>(resource: Resource, name = this.name): Promise<T> {
    return this.#client.resource<T>(resource).get({ namespace: this.namespace, name });
  }

  controlPlane(): Promise<NestedControlPlane> {
    return this.get(resources.controlPlanes);
  }

  cluster(): Promise<NestedCluster> {
    return this.get(resources.clusters);
  }

  coreCluster(): Promise<CoreCluster> {
    return this.get(coreClusters);
  }

  component(name: ComponentName): Promise<Component> {
    return this.get(resources[name]);
  }

  /** Waits until the whole of it serves as its spec says, and Cluster API knows. */
  async isUp(): Promise<void> {
    await this.#until("to be up", async () => {
      const [plane, { status }] = await Promise.all([this.controlPlane(), this.coreCluster()]);
      const ready = getCondition(plane.status?.conditions, "Ready");
      const isNow = ready?.observedGeneration === plane.metadata.generation;
      return isNow && ready?.status === "True" && status?.phase === "Provisioned";
    });
  }

  /** Waits until a component does what its spec says. */
  async isUpToDate(name: ComponentName): Promise<Component> {
    return this.componentIs(name, { type: "UpToDate", reason: "UpToDate" });
  }

  /** Waits until a condition of a component has a reason, as of its present spec. */
  componentIs(
    name: ComponentName,
    { type, reason }: { readonly type: string; readonly reason: string },
  ): Promise<Component> {
    return this.#until(`${name} to be ${reason}`, async () => {
      const component = await this.component(name);
      const found = getCondition(component.status?.conditions, type);
      const isNow = found?.observedGeneration === component.metadata.generation;
      return isNow && found?.reason === reason && component;
    });
  }

  controlPlaneIs(type: string, reason: string): Promise<NestedControlPlane> {
    return this.#until(`${type} to be ${reason}`, async () => {
      const plane = await this.controlPlane();
      return getCondition(plane.status?.conditions, type)?.reason === reason && plane;
    });
  }

  /** What a Secret of the tenant holds, decoded. */
  async secret(name: string): Promise<KubeObject & { readonly data: Record<string, string> }> {
    const secret = await this.get<KubeObject & { data?: Record<string, string> }>(
      builtInResources.secrets,
      `${this.name}-${name}`,
    );
    const decode = (text: string) => Buffer.from(text, "base64").toString("utf8");
    const entries = Object.entries(secret.data ?? {}).map(([key, text]) => [key, decode(text)]);
    return { ...secret, data: Object.fromEntries(entries) };
  }

  /** Runs kubectl as controllers do, with their kubeconfig as it is now. */
  kubectl(args: readonly string[], stdin?: string): Promise<string> {
    return this.#kubectl("kubeconfig", args, stdin);
  }

  /** The same with the kubeconfig for people. */
  kubectlAsPerson(args: readonly string[]): Promise<string> {
    return this.#kubectl("user-kubeconfig", args);
  }

  async #kubectl(secret: string, args: readonly string[], stdin?: string): Promise<string> {
    const { description, logs } = this.#kubernetes;
    const { data } = await this.secret(secret);
    const file = join(logs, `${this.namespace}-${this.name}.${secret}`);
    await writeFile(file, data.value ?? "", { mode: 0o600 });
    const own = [`--kubeconfig=${file}`, `--cache-dir=${file}.cache`];
    return runCommand(description.kubectl, [...own, ...args], stdin === undefined ? {} : { stdin });
  }

  /** Applies objects in the tenant. */
  apply(...objects: readonly object[]): Promise<string> {
    const text = objects.map((object) => JSON.stringify(object)).join("\n---\n");
    return this.kubectl(["apply", "--server-side", "--filename=-"], text);
  }

  toString(): string {
    return `${this.namespace}/${this.name}`;
  }

  #key() {
    return { namespace: this.namespace, name: this.name };
  }

  #reference(kind: string, name = this.name) {
    const apiVersion = `${controlPlaneGroup}/v1alpha4`;
    return { apiVersion, kind, namespace: this.namespace, name };
  }

  async #create(resource: Resource, spec: object): Promise<void> {
    const { group, version, kind } = resource;
    const typed = { apiVersion: `${group}/${version}`, kind };
    const labels = { "cluster.x-k8s.io/cluster-name": this.name };
    const metadata = { ...this.#key(), labels };
    await this.#client.resource<KubeObject>(resource).create({ ...typed, metadata, spec });
  }

  async #until<T>(what: string, ask: () => Promise<T>) {
    try {
      return await waitFor(ask, { what: `${this}: ${what}`, timeout: patience, interval: 100 });
    } catch (error) {
      const { message } = error as Error;
      throw new Error(`${message}\n${await this.#story()}`, { cause: error });
    }
  }

  /** What all its objects say of themselves, for errors. */
  async #story(): Promise<string> {
    const all = [coreClusters, ...Object.values(resources)];
    const lines = await Promise.all(
      all.map(async (resource) => {
        const object = await this.get<KubeObject>(resource).catch(() => undefined);
        const { conditions = [] } = (object?.status ?? {}) as { conditions?: readonly Condition[] };
        const told = conditions.map(
          ({ type, status, reason, message }) => `  ${type}=${status} ${reason}: ${message}`,
        );
        return [`${resource.kind}${object ? "" : " is not there"}`, ...told].join("\n");
      }),
    );
    return [...lines, await podStory(this.#kubernetes, this.namespace)].join("\n");
  }
}
