import type { NestedControlPlane } from "@rookery/api";
import type { OwnerCluster } from "@rookery/cluster-api";
import {
  type KubeObject,
  type ObjectKey,
  ownerReferenceTo,
  type PartialObjectMetadata,
} from "@rookery/kube";
import type { FakeClock } from "@rookery/testing";
import type { ComponentObject } from "../../src/control-plane/component.ts";
import { controlPlaneLifecycle } from "../../src/control-plane/reconcile.ts";
import type { ControlPlaneScope, Secured } from "../../src/control-plane/scope.ts";
import { SecretMemo } from "../../src/pki/secret-memo.ts";
import type { TenantState } from "../../src/tenant/tenants.ts";
import { type MemorySecrets, pkiFixture } from "../pki/pki.ts";

const request: ObjectKey = { namespace: "team", name: "cp" };

const owner: OwnerCluster = {
  apiVersion: "cluster.x-k8s.io/v1beta2",
  kind: "Cluster",
  metadata: { namespace: "team", name: "c", uid: "c-uid" },
  spec: {},
};

export function component(kind: string, name: string): ComponentObject {
  return {
    apiVersion: "controlplane.cluster.x-k8s.io/v1alpha4",
    kind,
    metadata: { namespace: "team", name, uid: name },
    status: {
      ready: true,
      ...(kind === "NestedAPIServer" && { endpoint: { host: "api.example.dev", port: 6443 } }),
    },
  };
}

const reference = (kind: string, name: string) => ({
  apiVersion: "controlplane.cluster.x-k8s.io/v1alpha4",
  kind,
  name,
});

/** A control plane with three components that are ready, and a tenant that answers. */
export class ControlPlaneWorld {
  readonly secrets: MemorySecrets;
  readonly clock: FakeClock;
  readonly components = new Map<string, ComponentObject>();
  /** What the server has already, and those who look do not know yet. */
  readonly newer = new Map<string, ComponentObject>();
  readonly deleted: string[] = [];
  readonly uploads: object[] = [];
  readonly forgotten: string[] = [];
  readonly allowedHosts: string[] = [];
  /** The servers that the manager connects to. */
  readonly watched: string[] = [];
  expiries: Secured["expiries"] = {};
  commits = 0;
  reads = 0;
  owner: OwnerCluster | undefined = owner;
  tenant: TenantState | undefined = { isReady: true, version: "v1.34.4", why: "" };
  uploadError: Error | undefined;
  componentError: Error | undefined;
  controlPlane: NestedControlPlane | undefined = {
    apiVersion: "controlplane.cluster.x-k8s.io/v1alpha4",
    kind: "NestedControlPlane",
    metadata: {
      ...request,
      uid: "cp-uid",
      generation: 1,
      ownerReferences: [ownerReferenceTo(owner)],
    },
    spec: {
      certificates: { caValidity: "87600h", leafValidity: "8760h", userKubeconfigValidity: "24h" },
      controlPlaneEndpoint: { host: "api.example.dev", port: 6443 },
      etcd: reference("NestedEtcd", "etcd"),
      apiserver: reference("NestedAPIServer", "apiserver"),
      controllerManager: reference("NestedControllerManager", "manager"),
    },
  };

  constructor() {
    const { store, clock } = pkiFixture();
    this.secrets = store;
    this.clock = clock;
    this.put(component("NestedEtcd", "etcd"));
    this.put(component("NestedAPIServer", "apiserver"));
    this.put(component("NestedControllerManager", "manager"));
  }

  put(one: ComponentObject): void {
    this.components.set(one.metadata.name ?? "", one);
  }

  reconcile() {
    return controlPlaneLifecycle.reconcile(request, this.#scope);
  }

  get status() {
    return this.controlPlane?.status;
  }

  condition(type: string): string | undefined {
    return this.status?.conditions?.find((one) => one.type === type)?.reason;
  }

  change(change: (controlPlane: NestedControlPlane) => NestedControlPlane): void {
    if (this.controlPlane) this.controlPlane = change(this.controlPlane);
  }

  readonly #memo = new SecretMemo<Secured>(
    (_, name) => this.secrets.secrets.get(name)?.metadata.resourceVersion,
    () => this.clock.date(),
  );

  readonly #scope: ControlPlaneScope = {
    get: async () => this.controlPlane,
    getOwner: async () => this.owner,
    commit: async (original, desired) => {
      if (JSON.stringify(original) !== JSON.stringify(desired)) this.commits++;
      this.controlPlane = desired;
      return desired;
    },
    findComponent: async ({ name }) => this.components.get(name),
    commitComponent: async (original, desired, { mutate } = {}) => {
      if (this.componentError) throw this.componentError;
      const newer = this.newer.get(original.metadata.name ?? "");
      const written = newer && mutate ? mutate(newer) : desired;
      this.put(written);
      return written;
    },
    deleteComponent: async ({ metadata }) => {
      this.deleted.push(metadata.name ?? "");
    },
    secretsFor: () => ({
      get: (name) => {
        this.reads++;
        return this.secrets.get(name);
      },
      create: (secret) => this.secrets.create(secret),
      write: (secret, changes) => this.secrets.write(secret, changes),
      adopt: (secret) => this.secrets.adopt(secret),
    }),
    memo: this.#memo,
    expiry: {
      set: (_, expiries) => {
        this.expiries = expiries;
      },
      forget: () => {
        this.expiries = {};
      },
    },
    ownedSecrets: async () => [...this.secrets.secrets.values()].filter(isOwned),
    deleteSecret: async ({ metadata }) => {
      this.secrets.secrets.delete(metadata.name ?? "");
    },
    tenants: {
      watch: async (_, { server }) => {
        this.watched.push(server);
      },
      state: () => (this.watched.length > 0 ? this.tenant : undefined),
      hurry: () => {},
      forget: (key) => {
        this.forgotten.push(key);
      },
    },
    upload: async (_, configuration) => {
      if (this.uploadError) throw this.uploadError;
      this.uploads.push(configuration);
    },
    allowedHosts: this.allowedHosts,
    clock: () => this.clock.date(),
  };
}

function isOwned({ metadata }: KubeObject | PartialObjectMetadata): boolean {
  return (metadata.ownerReferences ?? []).length > 0;
}
