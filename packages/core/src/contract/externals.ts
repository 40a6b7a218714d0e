import { type Client, ignoreNotFound } from "@rookery/client";
import {
  addonsGroup,
  type Contract,
  clusterApiGroup,
  contractVersionOf,
} from "@rookery/cluster-api";
import { type KubeObject, objectKeyOf, type Resource } from "@rookery/kube";
import { type Cache, createResourceCommitter } from "@rookery/runtime";
import { ContractError } from "../errors.ts";
import { customResourceDefinitions } from "../resources.ts";

/** A reference of the contract v1beta2: the version is the kind's own matter. */
export interface ContractReference {
  readonly apiGroup: string;
  readonly kind: string;
  readonly name: string;
}

/** An object of a provider, and the contract that it is read by. */
interface External {
  readonly object: KubeObject;
  readonly contract: Contract;
  readonly resource: Resource;
}

/** What became of the search for an object that is named; `unnamed` where none is. */
export type Lookup =
  | ({ readonly outcome: "found" } & External)
  | { readonly outcome: "missing" }
  | { readonly outcome: "failed"; readonly error: unknown }
  | { readonly outcome: "unnamed" };

export interface ExternalsOptions {
  readonly client: Client;
  readonly cache: Cache;
  /** Hears of each kind before it is read for the first time, to watch it. */
  readonly onKind: (resource: Resource) => void;
}

/** Objects of providers, of whatever kinds there are. */
export interface Externals {
  /** Never rejects. */
  find(
    reference: ContractReference | undefined,
    namespace: string | undefined,
    signal: AbortSignal,
  ): Promise<Lookup>;
  /** Writes what changed; returns the object as it is then. */
  commit(external: External, desired: KubeObject): Promise<KubeObject>;
  /** Deletes it unless that is done already. */
  remove(external: External): Promise<void>;
}

/** Whose objects are nobody's parts: as one of those, a Cluster would be deleted with another one. */
const ownGroups: readonly string[] = [clusterApiGroup, addonsGroup];
/** How long a kind may take to be read for the first time. */
const readTimeout = 30_000;

export function createExternals({ client, cache, onKind }: ExternalsOptions): Externals {
  const definitions = cache.metadataInformerFor(customResourceDefinitions);
  const seen = new Set<string>();

  async function resourceOf({ apiGroup: group, kind }: ContractReference) {
    if (ownGroups.includes(group)) throw new ContractError(kind, "it is one of Cluster API itself");
    const served = await client.mapper.resourceForKind({ group, kind });
    await definitions.waitForSync();
    const definition = definitions.get({ name: `${served.plural}.${group}` });
    if (!definition) throw new ContractError(kind, `it has no CustomResourceDefinition`);
    if (!served.namespaced) {
      throw new ContractError(kind, "it is cluster-scoped, and parts are in the same namespace");
    }
    const found = contractVersionOf(definition.metadata);
    if (found) return { resource: { ...served, version: found.version }, contract: found.contract };
    throw new ContractError(
      kind,
      `its CustomResourceDefinition has no label cluster.x-k8s.io/v1beta2 or cluster.x-k8s.io/v1beta1`,
    );
  }

  function notice(resource: Resource): void {
    const key = `${resource.plural}.${resource.version}.${resource.group}`;
    if (seen.has(key)) return;
    seen.add(key);
    onKind(resource);
  }

  return {
    async find(reference, namespace, signal) {
      if (!reference) return { outcome: "unnamed" };
      try {
        const { resource, contract } = await resourceOf(reference);
        notice(resource);
        const key = { name: reference.name, ...(namespace && { namespace }) };
        const limited = AbortSignal.any([signal, AbortSignal.timeout(readTimeout)]);
        const object = await cache.get<KubeObject>(resource, key, limited);
        return object ? { outcome: "found", object, contract, resource } : { outcome: "missing" };
      } catch (error) {
        return { outcome: "failed", error };
      }
    },
    commit: ({ object, resource }, desired) =>
      createResourceCommitter(client.resource<KubeObject>(resource))(object, desired),
    async remove({ object, resource }) {
      if (object.metadata.deletionTimestamp !== undefined) return;
      const { uid } = object.metadata;
      const options = { ...(uid && { preconditions: { uid } }) };
      await ignoreNotFound(client.resource(resource).delete(objectKeyOf(object), options));
    },
  };
}
