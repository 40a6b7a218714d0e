import type { NestedControlPlane } from "@rookery/api";
import { controllerReferenceTo } from "@rookery/kube";
import { FakeClock } from "@rookery/testing";
import type { PkiScope } from "../../src/pki/scope.ts";
import {
  type AdoptingStore,
  encoded,
  type Secret,
  type SecretChanges,
  type SecretTexts,
  textOf,
} from "../../src/pki/secret.ts";

const hour = 60 * 60 * 1000;

export const owner: NestedControlPlane = {
  apiVersion: "controlplane.cluster.x-k8s.io/v1alpha4",
  kind: "NestedControlPlane",
  metadata: { namespace: "team", name: "cp", uid: "cp-uid" },
  spec: {
    certificates: {
      caValidity: "87600h",
      leafValidity: "8760h",
      userKubeconfigValidity: "24h",
    },
  },
};

/** The Secrets of a namespace, in memory, with what was written to them. */
export class MemorySecrets implements AdoptingStore {
  readonly secrets = new Map<string, Secret>();
  writes: string[] = [];
  #version = 0;

  async get(name: string): Promise<Secret | undefined> {
    return this.secrets.get(name);
  }

  async create(secret: Secret): Promise<Secret> {
    return this.secrets.get(nameOf(secret)) ?? this.#put(secret);
  }

  async write(secret: Secret, changes: SecretChanges): Promise<Secret> {
    const data = Object.entries({ ...secret.data, ...encoded(changes) });
    const kept = data.filter((entry): entry is [string, string] => entry[1] !== null);
    return this.#put({ ...secret, data: Object.fromEntries(kept) });
  }

  async adopt(secret: Secret): Promise<Secret> {
    const ownerReferences = [controllerReferenceTo(owner)];
    return this.#put({ ...secret, metadata: { ...secret.metadata, ownerReferences } });
  }

  /** As somebody else makes one, for the Cluster unless told otherwise. */
  supply(name: string, texts: SecretTexts, cluster = "c"): void {
    const labels = { "cluster.x-k8s.io/cluster-name": cluster };
    const metadata = { namespace: "team", name, labels, resourceVersion: `${++this.#version}` };
    this.secrets.set(name, { apiVersion: "v1", kind: "Secret", metadata, data: encoded(texts) });
  }

  /** What somebody does to one that is there, whoever owns it. */
  spoil(name: string, texts: SecretTexts): void {
    const secret = this.secrets.get(name);
    if (!secret) throw new Error(`there is no ${name}`);
    this.secrets.set(name, { ...secret, data: { ...secret.data, ...encoded(texts) } });
  }

  text(name: string, key: string): string {
    const secret = this.secrets.get(name);
    return (secret && textOf(secret, key)) ?? "";
  }

  #put(secret: Secret): Secret {
    const metadata = { ...secret.metadata, resourceVersion: `${++this.#version}` };
    const stored = { ...secret, metadata };
    this.writes.push(nameOf(secret));
    this.secrets.set(nameOf(secret), stored);
    return stored;
  }
}

function nameOf({ metadata }: Secret): string {
  return metadata.name ?? "";
}

export interface PkiFixture {
  readonly store: MemorySecrets;
  readonly clock: FakeClock;
  readonly scope: (changes?: Partial<PkiScope>) => PkiScope & { readonly store: MemorySecrets };
}

/** A control plane `cp` of the Cluster `c` in the namespace `team`, that has no Secrets yet. */
export function pkiFixture(): PkiFixture {
  const store = new MemorySecrets();
  const clock = new FakeClock();
  const scope = (changes: Partial<PkiScope> = {}) => ({
    cluster: "c",
    namespace: "team",
    owner,
    caValidityMs: 1000 * hour,
    leafValidityMs: 90 * hour,
    isInitialized: false,
    serviceCidr: "10.96.0.0/12",
    servicePort: 6443,
    hosts: [],
    awaitsEndpoint: false,
    rotation: { renewBeforeMs: 100 * hour, overlapMs: 24 * hour },
    trusters: { ca: [], etcd: [], proxy: [] },
    clock: clock.date,
    ...changes,
    store,
  });
  return { store, clock, scope };
}
