import type { NestedAPIServer, NestedControlPlane, NestedEtcd } from "@rookery/api";
import { getCondition } from "@rookery/kube";
import { apiServerLifecycle } from "../../src/api-server/reconcile.ts";
import type { Siblings } from "../../src/component/parent.ts";
import type { Deployment, Service } from "../../src/manifests/kinds.ts";
import { ComponentWorld, cluster, namespace } from "../component/component-world.ts";

export const finalizer = "nestedapiserver.controlplane.cluster.x-k8s.io";
const address = { hostname: "blue-etcd-0.blue-etcd.team.svc", ip: "10.0.0.1", port: 2379 };
export const service = { type: "ClusterIP", port: 6443 } as const;

export function apiServer(spec: Partial<NestedAPIServer["spec"]> = {}): NestedAPIServer {
  return {
    apiVersion: "controlplane.cluster.x-k8s.io/v1alpha4",
    kind: "NestedAPIServer",
    metadata: {
      name: cluster,
      namespace,
      uid: "kas",
      generation: 1,
      finalizers: [finalizer],
      labels: { "cluster.x-k8s.io/cluster-name": cluster },
      ownerReferences: [
        {
          apiVersion: "controlplane.cluster.x-k8s.io/v1alpha4",
          kind: "NestedControlPlane",
          name: cluster,
          uid: "plane",
          controller: true,
        },
      ],
    },
    spec: {
      version: "v1.33.13",
      replicas: 1,
      profile: "full",
      service,
      serviceCidr: "10.96.0.0/12",
      ...spec,
    },
  };
}

export const etcd = (version: string, running = version) =>
  ({
    kind: "NestedEtcd",
    metadata: { name: cluster },
    spec: { version },
    status: { version: running, ready: true },
  }) as NestedEtcd;

/** A NestedAPIServer in a world in memory. */
export class ApiServerScene {
  readonly world = new ComponentWorld();
  /** The control planes whose API servers were said to serve. */
  readonly served: string[] = [];
  /** Addresses of pods whose API server says that it is ready. */
  readonly answering = new Set<string>();
  /** Fingerprints of the certificates that pods serve with, by their addresses. */
  readonly shown = new Map<string, string>();
  siblings: Siblings = { etcd: etcd("3.6.8"), apiServer: undefined, controllerManager: undefined };

  constructor(spec: Partial<NestedAPIServer["spec"]> = {}) {
    this.world.put(apiServer(spec));
    this.world.controlPlane({ status: { etcd: { addresses: [address] } } });
    this.world.issue();
  }

  reconcile() {
    const scope = {
      ...this.world.scope<NestedAPIServer>("NestedAPIServer"),
      rookeryImage: "rookery:test",
      getSiblings: async () => this.siblings,
      serves: ({ metadata }: NestedControlPlane) => void this.served.push(metadata.name ?? ""),
      certificateOf: async (address: string) => this.shown.get(address),
      probePod: async (address: string) => this.answering.has(address),
      commitControlPlane: async (original: NestedControlPlane, desired: NestedControlPlane) =>
        this.world.commit(original, desired),
    };
    return apiServerLifecycle.reconcile({ namespace, name: cluster }, scope);
  }

  /** The Service gets its address, as it would from a server. */
  async address(change: Partial<Service> = {}): Promise<void> {
    await this.reconcile();
    const made = this.world.get<Service>("Service", "blue-apiserver");
    this.world.put({
      ...made,
      ...change,
      spec: { ...made.spec, clusterIP: "10.0.0.9", ...change.spec },
    });
    await this.reconcile();
  }

  async ready(): Promise<void> {
    await this.address();
    this.world.rolledOut("blue-apiserver", "complete");
    await this.reconcile();
  }

  change(spec: Partial<NestedAPIServer["spec"]>): void {
    const { metadata, ...rest } = this.now;
    const generation = (metadata.generation ?? 0) + 1;
    this.world.put({
      ...rest,
      metadata: { ...metadata, generation },
      spec: { ...rest.spec, ...spec },
    });
    this.world.writes.length = 0;
  }

  get now(): NestedAPIServer {
    return this.world.get("NestedAPIServer", cluster);
  }

  get deployment(): Deployment {
    return this.world.get("Deployment", "blue-apiserver");
  }

  get image(): string | undefined {
    return this.deployment.spec?.template.spec.containers[0]?.image;
  }

  reason(type: string): string | undefined {
    const found = getCondition(this.now.status?.conditions, type);
    return found && `${found.status} ${found.reason}`;
  }
}
