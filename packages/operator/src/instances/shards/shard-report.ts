import {
  has,
  intersection,
  isEmpty,
  type NamespaceFields,
  type NamespaceSet,
  namespacesOf,
  noNamespaces,
  scopeOf,
  union,
} from "../../identity/namespace-set.ts";

export interface ShardLoad {
  /** Objects of the provider's own kinds in its namespaces. */
  readonly objects: number;
  readonly reconcilesPerSecond?: number;
  readonly queueDepth?: number;
}

/** One instance of a provider, with the namespaces that it watches: all if there is no field. */
export interface Shard extends Readonly<NamespaceFields> {
  /** "CoreProvider cluster-api". */
  readonly provider: string;
  /** "capi1-system". */
  readonly instance: string;
  readonly by: "flag" | "proxy" | "none";
  readonly first: boolean;
  readonly load: ShardLoad;
}

/** A namespace with objects of a provider that none of its instances watches. */
export interface ShardGap {
  readonly provider: string;
  readonly namespace: string;
  readonly objects: number;
}

/** A namespace with objects that nobody watches until an instance has taken it over. */
export interface ShardHandOver extends ShardGap {
  readonly to: string;
}

/** Namespaces that two instances of a provider watch. */
export interface ShardOverlap extends Readonly<NamespaceFields> {
  readonly provider: string;
  readonly instances: readonly [string, string];
}

/** Namespaces that an instance claims, and neither watches nor will watch. */
export interface ShardClaim extends Readonly<NamespaceFields> {
  readonly provider: string;
  readonly instance: string;
  /** The reason of its Ready condition; absent before the first reconcile. */
  readonly reason?: string;
  /** Instances that watch some of them. */
  readonly watchedBy: readonly (NamespaceFields & { readonly instance: string })[];
}

export interface ShardReport {
  readonly shards: readonly Shard[];
  readonly claims: readonly ShardClaim[];
  readonly gaps: readonly ShardGap[];
  readonly handOvers: readonly ShardHandOver[];
  readonly overlaps: readonly ShardOverlap[];
}

/** An instance as it was found in the cluster. */
export interface SeenInstance {
  readonly instance: string;
  /** By its pods, or else by its status. */
  readonly watched: NamespaceSet;
  readonly by: Shard["by"];
  readonly first: boolean;
  readonly measured: Omit<ShardLoad, "objects">;
}

export interface InstanceNamespaces {
  readonly instance: string;
  readonly namespaces: NamespaceSet;
}

export interface UnmetClaim {
  readonly instance: string;
  readonly claim: NamespaceSet;
  readonly reason?: string;
}

export interface SeenProvider {
  readonly provider: string;
  readonly instances: readonly SeenInstance[];
  /** Namespaces that instances will watch. */
  readonly pending: readonly InstanceNamespaces[];
  readonly claims: readonly UnmetClaim[];
  /** The number of objects of its kinds in each namespace. */
  readonly objects: ReadonlyMap<string, number>;
}

export function reportShards(seen: readonly SeenProvider[]): ShardReport {
  const unwatched = seen.flatMap(unwatchedOf);
  return {
    shards: seen.flatMap(shardsOf),
    claims: seen.flatMap(claimsOf),
    gaps: unwatched.filter((one) => !("to" in one)),
    handOvers: unwatched.filter((one) => "to" in one),
    overlaps: seen.flatMap(overlapsOf),
  };
}

function shardsOf({ provider, instances, objects }: SeenProvider): Shard[] {
  return instances.map(({ instance, watched, by, first, measured }) => {
    const own = [...objects].filter(([namespace]) => has(watched, namespace));
    const count = own.reduce((sum, [, number]) => sum + number, 0);
    const load = { objects: count, ...measured };
    return { provider, instance, ...named(watched), by, first, load };
  });
}

function claimsOf({ provider, instances, claims }: SeenProvider): readonly ShardClaim[] {
  return claims.map(({ instance, claim, reason }) => ({
    provider,
    instance,
    ...named(claim),
    ...(reason && { reason }),
    watchedBy: instances
      .map((other) => ({ instance: other.instance, both: intersection(claim, other.watched) }))
      .filter(({ both }) => !isEmpty(both))
      .map(({ instance: other, both }) => ({ instance: other, ...named(both) })),
  }));
}

function unwatchedOf({
  provider,
  instances,
  pending,
  objects,
}: SeenProvider): readonly (ShardGap | ShardHandOver)[] {
  const watched = union(noNamespaces, ...instances.map((one) => one.watched));
  return [...objects]
    .filter(([namespace]) => !has(watched, namespace))
    .map(([namespace, count]) => {
      const next = pending.find(({ namespaces }) => has(namespaces, namespace));
      const to = next && { to: next.instance };
      return { provider, namespace, objects: count, ...to };
    })
    .toSorted((a, b) => (a.namespace < b.namespace ? -1 : 1));
}

function overlapsOf({ provider, instances }: SeenProvider): ShardOverlap[] {
  return instances.flatMap((one, index) =>
    instances.slice(index + 1).flatMap((other): ShardOverlap[] => {
      const both = intersection(one.watched, other.watched);
      if (isEmpty(both)) return [];
      return [{ provider, instances: [one.instance, other.instance], ...named(both) }];
    }),
  );
}

function named(set: NamespaceSet): NamespaceFields {
  return namespacesOf(scopeOf(set));
}
