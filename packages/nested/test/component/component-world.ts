import type { NestedControlPlane } from "@rookery/api";
import type { OwnerCluster } from "@rookery/cluster-api";
import { deepEqual, type KubeObject, objectKeyOf, type Resource, statusError } from "@rookery/kube";
import type { EventOptions } from "@rookery/runtime";
import type { Siblings } from "../../src/component/parent.ts";
import type { ComponentScope } from "../../src/component/scope.ts";
import type { ComponentObject } from "../../src/component-object.ts";
import type { Deployment } from "../../src/manifests/kinds.ts";
import { leafSecret, leaves, secretNames } from "../../src/names.ts";
import { SecretMemo } from "../../src/pki/secret-memo.ts";
import { noAllowances } from "../../src/policy/allowances.ts";
import { controlPlanes, secrets } from "../../src/resources.ts";

interface Key {
  readonly namespace?: string;
  readonly name: string;
}

export const namespace = "team";
export const cluster = "blue";

/** A Kubernetes in memory, as far as the controllers of components see it: reads are never stale. */
export class ComponentWorld {
  readonly objects = new Map<string, KubeObject>();
  /** What was written, in order: "apply Deployment/blue-apiserver", "status NestedAPIServer/blue". */
  readonly writes: string[] = [];
  readonly events: EventOptions[] = [];
  /** Set to let the server refuse some objects. */
  refuses: (object: KubeObject) => boolean = () => false;
  owner: OwnerCluster = {
    apiVersion: "cluster.x-k8s.io/v1beta2",
    kind: "Cluster",
    metadata: { name: cluster, namespace, uid: "cluster" },
  };
  allowances = noAllowances;
  /** Set to let the Cluster not be there, or name another control plane. */
  isClaimed = false;
  /** The other components of the control plane. */
  siblings: Siblings = { etcd: undefined, apiServer: undefined, controllerManager: undefined };
  now = new Date("2026-01-01T00:00:00Z");
  #serial = 0;

  put<T extends KubeObject>(object: T): T {
    const resourceVersion = String(this.#serial++);
    const isSecret = object.kind === secrets.kind;
    const metadata = { ...object.metadata, ...(isSecret && { resourceVersion }) };
    const stored = { ...object, metadata };
    this.objects.set(keyOf(object.kind, objectKeyOf(object)), stored);
    return stored;
  }

  get<T extends KubeObject>(kind: string, name: string): T {
    return this.objects.get(keyOf(kind, { namespace, name })) as T;
  }

  /** All Secrets that the control plane makes. */
  issue(text = "1"): void {
    for (const name of secretNames(cluster)) {
      const isLeaf = leaves.some((leaf) => leafSecret(cluster, leaf) === name);
      const keys = ["tls.crt", "tls.key", ...(isLeaf ? ["ca.crt", "kubeconfig"] : [])];
      const data = Object.fromEntries(keys.map((key) => [key, btoa(`${name} ${key} ${text}`)]));
      const metadata = { name, namespace };
      this.put({ apiVersion: "v1", kind: "Secret", metadata, data } as KubeObject);
    }
  }

  controlPlane(
    change: Partial<Pick<NestedControlPlane, "spec" | "status">> = {},
  ): NestedControlPlane {
    return this.put({
      apiVersion: "controlplane.cluster.x-k8s.io/v1alpha4",
      kind: "NestedControlPlane",
      metadata: { name: cluster, namespace, uid: "plane" },
      spec: {
        certificates: {
          caValidity: "87600h",
          leafValidity: "8760h",
          userKubeconfigValidity: "24h",
        },
      },
      ...change,
    } as NestedControlPlane);
  }

  /** What the Deployment controller would say. */
  rolledOut(name: string, how: "complete" | "stalled"): void {
    const deployment = this.get<Deployment>("Deployment", name);
    const { replicas = 1 } = deployment.spec ?? {};
    const counts = { replicas, updatedReplicas: replicas, readyReplicas: replicas };
    const { generation: observedGeneration = 0 } = deployment.metadata;
    const lastTransitionTime = "2026-01-01T00:00:00Z";
    const reason = "ProgressDeadlineExceeded";
    const stalled = {
      type: "Progressing",
      status: "False",
      reason,
      message: "",
      lastTransitionTime,
    };
    const status =
      how === "complete"
        ? { ...counts, observedGeneration, availableReplicas: replicas }
        : { ...deployment.status, observedGeneration, updatedReplicas: 0, conditions: [stalled] };
    this.put({ ...deployment, status } as Deployment);
  }

  scope<T extends ComponentObject>(kind: string): ComponentScope<T> {
    const read = async <O extends KubeObject>(resource: Resource, key: Key) =>
      this.objects.get(keyOf(resource.kind, key)) as O | undefined;
    return {
      get: async (key) => this.objects.get(keyOf(kind, key)) as T | undefined,
      commit: async (original, desired) => this.commit(original, desired),
      getParent: async (component) => {
        const controlPlane = this.get<NestedControlPlane>(controlPlanes.kind, cluster);
        const isOwned = component.metadata.ownerReferences?.some(({ uid }) => uid === "plane");
        const isParent = isOwned && controlPlane && !this.isClaimed;
        return isParent ? { controlPlane, cluster, namespace, owner: this.owner } : undefined;
      },
      getSiblings: async () => this.siblings,
      memo: new SecretMemo(
        (place, name) =>
          this.objects.get(keyOf(secrets.kind, { namespace: place, name }))?.metadata
            .resourceVersion,
        () => this.now,
      ),
      getSecret: (key) => read(secrets, key),
      find: read,
      read,
      list: async <O extends KubeObject>(
        resource: Resource,
        _: string,
        labels: Readonly<Record<string, string>>,
      ) =>
        [...this.objects.values()].filter(
          (one) =>
            one.kind === resource.kind &&
            Object.entries(labels).every(([name, value]) => one.metadata.labels?.[name] === value),
        ) as O[],
      apply: async (_, object) => this.#apply(object),
      remove: async (_, object) => {
        this.writes.push(`remove ${object.kind}/${object.metadata.name}`);
        this.objects.delete(keyOf(object.kind, objectKeyOf(object)));
      },
      recorder: { event: (_, options) => void this.events.push(options) },
      imageRepository: "registry.k8s.io",
      allowances: this.allowances,
      clock: () => this.now,
    };
  }

  commit<T extends KubeObject>(original: T, desired: T): T {
    if (deepEqual(original, desired)) return original;
    const isStatus = deepEqual({ ...original, status: 0 }, { ...desired, status: 0 });
    this.writes.push(`${isStatus ? "status" : "commit"} ${desired.kind}/${desired.metadata.name}`);
    return this.put(desired);
  }

  #apply(object: KubeObject): KubeObject {
    const { kind, metadata } = object;
    if (this.refuses(object)) {
      throw statusError({ code: 422, reason: "Invalid", message: `${kind} is invalid` });
    }
    this.writes.push(`apply ${kind}/${metadata.name}`);
    const live = this.objects.get(keyOf(kind, objectKeyOf(object)));
    const isChanged = !deepEqual(live?.spec, object.spec);
    return this.put({
      ...live,
      ...object,
      metadata: {
        ...metadata,
        uid: live?.metadata.uid ?? `uid-${this.#serial++}`,
        generation: (live?.metadata.generation ?? 0) + (isChanged ? 1 : 0),
      },
    });
  }
}

function keyOf(kind: string, { namespace: place = "", name }: Key): string {
  return `${kind}/${place}/${name}`;
}
