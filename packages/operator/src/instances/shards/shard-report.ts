import {
  has,
  intersection,
  isEmpty,
  type NamespaceSet,
  noNamespaces,
  scopeOf,
  union,
} from "../../identity/namespace-set.ts";

/** How much an instance has to do; what could not be found out is absent. */
export interface ShardLoad {
  /** Objects of the provider's own kinds in its namespaces. */
  readonly objects: number;
  readonly reconcilesPerSecond?: number;
  readonly queueDepth?: number;
}

/** One instance of a provider, and what it watches. */
export interface Shard {
  /** "CoreProvider cluster-api". */
  readonly provider: string;
  /** "capi1-system". */
  readonly instance: string;
  /** Only these namespaces; neither where it watches all. */
  readonly namespaces?: readonly string[];
  /** All namespaces but these. */
  readonly excludedNamespaces?: readonly string[];
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

/** A namespace with objects that nobody watches for the moment: an instance is about to. */
export interface ShardHandOver extends ShardGap {
  /** The instance that takes it. */
  readonly to: string;
}

/** Namespaces that two instances of a provider watch, as a person would say it in flags. */
export interface ShardOverlap {
  readonly provider: string;
  readonly instances: readonly [string, string];
  readonly namespaces?: readonly string[];
  readonly excludedNamespaces?: readonly string[];
}

/** Namespaces that an instance's spec claims, and that it neither watches nor is about to. */
export interface ShardClaim {
  readonly provider: string;
  readonly instance: string;
  readonly namespaces?: readonly string[];
  readonly excludedNamespaces?: readonly string[];
  /** The reason of its Ready condition; absent where the operator has not seen it yet. */
  readonly reason?: string;
  /** Who watches some of them. */
  readonly watchedBy: readonly {
    readonly instance: string;
    readonly namespaces?: readonly string[];
    readonly excludedNamespaces?: readonly string[];
  }[];
}

export interface ShardReport {
  readonly shards: readonly Shard[];
  readonly claims: readonly ShardClaim[];
  readonly gaps: readonly ShardGap[];
  readonly handOvers: readonly ShardHandOver[];
  readonly overlaps: readonly ShardOverlap[];
}

/** What was seen of one instance. */
export interface SeenInstance {
  readonly instance: string;
  /** What its pods watch, or where there are none, what it is to watch. */
  readonly watched: NamespaceSet;
  readonly by: Shard["by"];
  readonly first: boolean;
  readonly measured: Omit<ShardLoad, "objects">;
}

/** Namespaces that an instance does not watch yet, and is on its way to. */
export interface SeenTaker {
  readonly instance: string;
  readonly taking: NamespaceSet;
}

/** Namespaces that an instance claims in vain. */
export interface SeenClaim {
  readonly instance: string;
  readonly claim: NamespaceSet;
  readonly reason?: string;
}

/** What was seen of one provider. */
export interface SeenProvider {
  readonly provider: string;
  readonly instances: readonly SeenInstance[];
  readonly takers: readonly SeenTaker[];
  readonly claims: readonly SeenClaim[];
  /** How many objects of its kinds are in each namespace. */
  readonly objects: ReadonlyMap<string, number>;
}

/** Puts together who watches what, what nobody does, and what two do. */
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
  takers,
  objects,
}: SeenProvider): readonly (ShardGap | ShardHandOver)[] {
  const watched = union(noNamespaces, ...instances.map((one) => one.watched));
  return [...objects]
    .filter(([namespace]) => !has(watched, namespace))
    .map(([namespace, count]) => {
      const taker = takers.find(({ taking }) => has(taking, namespace));
      const to = taker && { to: taker.instance };
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

function named(set: NamespaceSet): Pick<Shard, "namespaces" | "excludedNamespaces"> {
  const scope = scopeOf(set);
  if (scope.type === "all") return {};
  return scope.type === "namespaces"
    ? { namespaces: scope.namespaces }
    : { excludedNamespaces: scope.namespaces };
}
