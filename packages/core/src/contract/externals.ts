import {
  addonsGroup,
  type Contract,
  clusterApiGroup,
  clusterNameLabel,
  contractVersionOf,
} from "@rookery/cluster-api";
import type { KubeObject, PartialObjectMetadata, Resource } from "@rookery/kube";
import {
  createResourceCommitter,
  deleteObject,
  type Informer,
  isBeingDeleted,
  type ReconcileContext,
} from "@rookery/runtime";
import { ContractError, PartLostError, PartTakenError } from "../errors.ts";

/** A reference of the contract v1beta2: the CustomResourceDefinition names the version. */
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

/** The outcome of looking up a reference; `unnamed` where there is no reference. */
export type Lookup =
  | ({ readonly outcome: "found" } & External)
  | { readonly outcome: "missing" }
  | { readonly outcome: "failed"; readonly error: unknown }
  | { readonly outcome: "unnamed" };

/** Objects of providers, of any kind. */
export interface Externals {
  /** Never rejects. */
  find(reference: ContractReference | undefined, namespace: string | undefined): Promise<Lookup>;
  /** Writes the changes; returns the object as the server has it. */
  commit(external: External, desired: KubeObject): Promise<KubeObject>;
  /** Deletes the object unless it is being deleted. */
  remove(external: External): Promise<void>;
}

export interface ExternalsOptions {
  /** The metadata of CustomResourceDefinitions. */
  readonly definitions: Informer<PartialObjectMetadata>;
  /** Is called with each resource before its objects are read. */
  readonly watchPart: (resource: Resource) => void;
}

/** Objects of these groups are no parts: a Cluster as a part would be deleted with another Cluster. */
const ownGroups: readonly string[] = [clusterApiGroup, addonsGroup];
/** The first read of a kind waits this long for its informer. */
const readTimeout = 30_000;

/** Access to the objects of providers within one reconcile. */
export function createExternals(
  { client, cache, signal }: Pick<ReconcileContext<KubeObject>, "client" | "cache" | "signal">,
  { definitions, watchPart }: ExternalsOptions,
): Externals {
  async function resourceOf({ apiGroup: group, kind }: ContractReference) {
    if (ownGroups.includes(group)) throw new ContractError(kind, "it is one of Cluster API itself");
    const served = await client.mapper.resourceForKind({ group, kind });
    await definitions.waitForSync(signal);
    const definition = definitions.get({ name: `${served.plural}.${group}` });
    if (!definition) throw new ContractError(kind, `it has no CustomResourceDefinition`);
    if (!served.namespaced) {
      throw new ContractError(kind, "it is cluster-scoped, and parts are in the same namespace");
    }
    const found = contractVersionOf(definition.metadata);
    if (found) return { resource: { ...served, version: found.version }, contract: found.contract };
    throw new ContractError(
      kind,
      `its CustomResourceDefinition has no label ${clusterApiGroup}/v1beta2 or ${clusterApiGroup}/v1beta1`,
    );
  }

  return {
    async find(reference, namespace) {
      if (!reference) return { outcome: "unnamed" };
      try {
        const { resource, contract } = await resourceOf(reference);
        watchPart(resource);
        const key = { name: reference.name, ...(namespace && { namespace }) };
        const limit = AbortSignal.timeout(readTimeout);
        const object = await cache.get<KubeObject>(resource, key, limit);
        return object ? { outcome: "found", object, contract, resource } : { outcome: "missing" };
      } catch (error) {
        return { outcome: "failed", error };
      }
    },
    commit: ({ object, resource }, desired) =>
      createResourceCommitter(client.resource<KubeObject>(resource))(object, desired),
    async remove({ object, resource }) {
      if (!isBeingDeleted(object)) await deleteObject(client.resource(resource), object);
    },
  };
}

/** The Cluster or Machine that a part belongs to. */
export interface PartOwner {
  readonly object: KubeObject;
  readonly clusterName: string;
  /** The part with its owner; the very part where it has it already. May throw. */
  readonly withOwner: (part: KubeObject) => KubeObject;
}

/** A reference to a part. */
interface NamedPart {
  readonly reference: ContractReference | undefined;
  /** The former state of the part, such as "provisioned"; false or undefined if it was never provisioned. */
  readonly wasUp?: string | false | undefined;
}

/** Finds a part, and the errors to retry, which the conditions of the part show. Never rejects. */
export async function findPart(
  part: NamedPart,
  owner: PartOwner,
  externals: Externals,
): Promise<{ readonly lookup: Lookup; readonly problems: readonly unknown[] }> {
  const lookup = await findOwned(part.reference, owner, externals);
  return { lookup, problems: problemsOf(lookup, part, owner) };
}

function problemsOf(lookup: Lookup, { reference, wasUp }: NamedPart, { object }: PartOwner) {
  if (lookup.outcome === "failed") {
    // A deletion leaves the parts of other Clusters alone.
    const isOther = lookup.error instanceof PartTakenError && isBeingDeleted(object);
    return isOther ? [] : [lookup.error];
  }
  if (lookup.outcome !== "missing" || !wasUp || isBeingDeleted(object)) return [];
  return [new PartLostError(reference?.kind ?? "", reference?.name ?? "", wasUp)];
}

/** Gives the part its owner and the label of its Cluster. */
async function findOwned(
  reference: ContractReference | undefined,
  { object, clusterName, withOwner }: PartOwner,
  externals: Externals,
): Promise<Lookup> {
  const lookup = await externals.find(reference, object.metadata.namespace);
  if (lookup.outcome !== "found") return lookup;
  try {
    const desired = withClusterLabel(withOwner(lookup.object), clusterName);
    if (desired === lookup.object) return lookup;
    return { ...lookup, object: await externals.commit(lookup, desired) };
  } catch (error) {
    return { outcome: "failed", error };
  }
}

function withClusterLabel(part: KubeObject, clusterName: string): KubeObject {
  const { metadata } = part;
  if (metadata.labels?.[clusterNameLabel] === clusterName) return part;
  const labels = { ...metadata.labels, [clusterNameLabel]: clusterName };
  return { ...part, metadata: { ...metadata, labels } };
}
