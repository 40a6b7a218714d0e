import { readFile } from "node:fs/promises";
import { join } from "node:path";
import {
  customResourceDefinitions,
  type NestedCluster,
  type NestedControlPlane,
  nestedCluster,
  nestedControlPlane,
  resourceOf,
} from "@rookery/api";
import { type Client, createClient, loadConfig } from "@rookery/client";
import {
  builtInResources,
  type Condition,
  getCondition,
  type KubeObject,
  ownerReferenceTo,
  type Resource,
} from "@rookery/kube";
import { createKeyPair } from "@rookery/pki";
import { clusterApiCrds, type Kubernetes, startKubernetes, waitFor } from "@rookery/testing";
import { coreClusters } from "./core-resources.ts";
import { ShippedManagers } from "./shipped-managers.ts";

export const clusters = resourceOf(nestedCluster, "v1alpha4");
export const controlPlanes = resourceOf(nestedControlPlane, "v1alpha4");
export const { secrets } = builtInResources;

const patience = 120_000;
const group = "pretended.example.dev";

/** A kind of somebody else, which does nothing by itself: the test says what it does. */
export const pretended: Resource = {
  group,
  version: "v1",
  kind: "Pretended",
  plural: "pretendeds",
  singular: "pretended",
  namespaced: true,
};

export interface Secret extends KubeObject {
  readonly type?: string;
  readonly data?: Readonly<Record<string, string>>;
  readonly stringData?: Readonly<Record<string, string>>;
}

interface Place {
  readonly namespace: string;
  readonly name: string;
}

const fields = ["etcd", "apiserver", "controllerManager"] as const;

/** References to three components of the foreign kind. */
export function pretendedReferences(name: string): Pick<NestedControlPlane["spec"], "etcd"> {
  const entries = fields.map((field) => [
    field,
    { apiVersion: `${group}/v1`, kind: "Pretended", name: `${name}-${field.toLowerCase()}` },
  ]);
  return Object.fromEntries(entries);
}

interface WorldParts extends Pick<PlaneWorld, "kubernetes" | "client"> {
  readonly managers: ShippedManagers;
}

/** No garbage collector: the test watches who deletes which object. */
const controllerManagerArgs = ["--controllers=clusterrole-aggregation-controller"];

/**
 * An API server with the controllers in this process, and nothing that runs pods: components are
 * objects of a foreign kind, and the tenant's API server is that same API server, whose authority is
 * given to the control plane as somebody's own.
 */
export class PlaneWorld implements AsyncDisposable {
  /** An administrator's. */
  readonly client: Client;
  readonly kubernetes: Kubernetes;
  readonly #managers: ShippedManagers;
  readonly #stack: AsyncDisposableStack;

  static async start(): Promise<PlaneWorld> {
    await using stack = new AsyncDisposableStack();
    const kubernetes = stack.use(await startKubernetes({ private: true, controllerManagerArgs }));
    const own = customResourceDefinitions().filter(({ metadata }) =>
      metadata.name.startsWith("nested"),
    );
    const core = (await clusterApiCrds()).filter(
      ({ metadata }) => metadata.name === "clusters.cluster.x-k8s.io",
    );
    const all = [...own, ...core, pretendedDefinition()];
    await Promise.all(all.map((crd) => kubernetes.applyCrd(crd)));
    const client = stack.use(createClient(await loadConfig({ path: kubernetes.kubeconfig })));
    const role = foreignRole();
    await (await client.kind<KubeObject>(role)).create(role);
    const managers = stack.use(await ShippedManagers.install(kubernetes));
    return new PlaneWorld({ kubernetes, client, managers }, stack.move());
  }

  private constructor(parts: WorldParts, stack: AsyncDisposableStack) {
    this.kubernetes = parts.kubernetes;
    this.client = parts.client;
    this.#managers = parts.managers;
    this.#stack = stack;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#stack.disposeAsync();
  }

  /** Starts both managers of the provider in this process; they stop when disposed of. */
  startManagers(via?: (client: Client) => Client): Promise<AsyncDisposable> {
    return this.#managers.start({ allowances: { hosts: ["127.0.0.1", "localhost"] } }, via);
  }

  async makeNamespace(name: string): Promise<void> {
    const body = { apiVersion: "v1", kind: "Namespace", metadata: { name } };
    await this.client.resource(builtInResources.namespaces).create(body);
  }

  /** A Cluster with its NestedCluster and NestedControlPlane, joined as Cluster API joins them. */
  async makeCluster(place: Place, spec: object, owner: object = {}): Promise<void> {
    const reference = (apiGroup: string, kind: string) => ({ apiGroup, kind, name: place.name });
    const cluster = await this.client.resource<KubeObject>(coreClusters).create({
      apiVersion: "cluster.x-k8s.io/v1beta2",
      kind: "Cluster",
      metadata: place,
      spec: {
        controlPlaneRef: reference(controlPlanes.group, "NestedControlPlane"),
        infrastructureRef: reference(clusters.group, "NestedCluster"),
        ...owner,
      },
    });
    const metadata = { ...place, ownerReferences: [ownerReferenceTo(cluster)] };
    for (const resource of [clusters, controlPlanes]) {
      const apiVersion = `${resource.group}/v1alpha4`;
      const object = { apiVersion, kind: resource.kind, metadata };
      await this.client
        .resource<KubeObject>(resource)
        .create({ ...object, spec: resource === controlPlanes ? spec : {} });
    }
  }

  /** Joins what was applied as Cluster API's core does: the Cluster of that name owns both objects. */
  async ownAsCore(place: Place): Promise<void> {
    const cluster = await this.client.resource<KubeObject>(coreClusters).get(place);
    const ownerReferences = [ownerReferenceTo(cluster)];
    for (const resource of [clusters, controlPlanes]) {
      await this.patch(resource, place, { metadata: { ownerReferences } });
    }
  }

  /** The components that `pretendedReferences` name. */
  async makePretended({ namespace, name }: Place, which: readonly string[] = fields) {
    for (const field of which) {
      await this.client.resource<KubeObject>(pretended).create({
        apiVersion: `${group}/v1`,
        kind: "Pretended",
        metadata: { namespace, name: `${name}-${field.toLowerCase()}` },
      });
    }
  }

  /** Does what a foreign controller does: says where the API server is, and that all is ready. */
  async pretendToServe(place: Place, server = this.kubernetes.server): Promise<void> {
    const { hostname, port } = new URL(server);
    await this.patch(controlPlanes, place, {
      spec: { controlPlaneEndpoint: { host: hostname, port: Number(port) } },
    });
  }

  /** The authority of the API server itself, as the administrator's own for the tenant. */
  async supplyAuthority(place: Place): Promise<void> {
    const folder = join(this.kubernetes.description.folder, "pki");
    const read = (file: string) => readFile(join(folder, file), "utf8");
    await this.makeSecret(place, "ca", {
      "tls.crt": await read("ca.crt"),
      "tls.key": await read("ca.key"),
    });
  }

  async makeSecret(
    { namespace, name }: Place,
    purpose: string,
    stringData: Readonly<Record<string, string>>,
  ): Promise<Secret> {
    return this.client.resource<Secret>(secrets).create({
      apiVersion: "v1",
      kind: "Secret",
      metadata: {
        namespace,
        name: `${name}-${purpose}`,
        labels: { "cluster.x-k8s.io/cluster-name": name },
      },
      stringData,
    });
  }

  /** Keys of service accounts whose halves do not belong together. */
  async makeMismatchedKeys(place: Place): Promise<void> {
    const [one, other] = [await createKeyPair(), await createKeyPair()];
    await this.makeSecret(place, "sa", { "tls.crt": one.publicKey, "tls.key": other.privateKey });
  }

  secret({ namespace, name }: Place, purpose: string): Promise<Secret> {
    return this.client.resource<Secret>(secrets).get({ namespace, name: `${name}-${purpose}` });
  }

  async patch(resource: Resource, place: Place, patch: object): Promise<void> {
    await this.client.resource(resource).patch(place, { type: "merge", patch: { ...patch } });
  }

  async patchStatus(resource: Resource, place: Place, status: object): Promise<void> {
    const patch = { type: "merge", patch: { status } } as const;
    await this.client.resource(resource).status.patch(place, patch);
  }

  controlPlane(place: Place): Promise<NestedControlPlane> {
    return this.client.resource<NestedControlPlane>(controlPlanes).get(place);
  }

  cluster(place: Place): Promise<NestedCluster> {
    return this.client.resource<NestedCluster>(clusters).get(place);
  }

  /** Waits until a condition of the control plane has the reason, and returns the condition. */
  async controlPlaneSays(place: Place, type: string, reason: string): Promise<Condition> {
    let last: Condition | undefined;
    return waitFor(
      async () => {
        const { status } = await this.controlPlane(place);
        last = getCondition(status?.conditions, type);
        return last?.reason === reason && last;
      },
      {
        what: `${type} of ${place.namespace}/${place.name} to be ${reason}`,
        detail: () => JSON.stringify(last),
        timeout: patience,
      },
    );
  }

  waits<T>(what: string, ask: () => Promise<T>): Promise<Exclude<T, undefined | false>> {
    return waitFor(ask, { what, timeout: patience });
  }
}

/** The rights that the documentation asks an administrator to give for a foreign kind. */
function foreignRole() {
  return {
    apiVersion: "rbac.authorization.k8s.io/v1",
    kind: "ClusterRole",
    metadata: {
      name: "pretended-components",
      labels: { "nested.rookery.dev/aggregate-to-manager": "true" },
    },
    rules: [
      {
        apiGroups: [group],
        resources: [pretended.plural],
        verbs: ["get", "list", "watch", "patch", "delete"],
      },
    ],
  };
}

function pretendedDefinition() {
  const schema = {
    openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
  };
  const { kind, plural, singular } = pretended;
  return {
    apiVersion: "apiextensions.k8s.io/v1" as const,
    kind: "CustomResourceDefinition" as const,
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope: "Namespaced" as const,
      names: { kind, plural, singular, listKind: `${kind}List` },
      versions: [{ name: "v1", served: true, storage: true, schema, subresources: { status: {} } }],
    },
  };
}
