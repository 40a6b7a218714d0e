import {
  complement,
  has,
  intersection,
  isEmpty,
  type NamespaceSet,
  union,
} from "../identity/namespace-set.ts";
import type { Family, Instance } from "./family.ts";

/** Namespaces that two instances claim. */
export interface Clash {
  readonly other: Instance;
  readonly namespaces: NamespaceSet;
}

/** What the claims of a family make of all namespaces. */
export interface ClaimedNamespaces {
  /** Between the instance itself and others. */
  readonly clashes: readonly Clash[];
  /** What nobody claims. */
  readonly unclaimed: NamespaceSet;
  /** What the instance's webhooks are to admit: its own, and of the first what nobody claims, too. */
  readonly admitted: NamespaceSet;
}

export function claimedNamespaces({ self, others, first }: Family): ClaimedNamespaces {
  const unclaimed = complement(union(self.claim, ...others.map(({ claim }) => claim)));
  return {
    clashes: others
      .map((other) => ({ other, namespaces: intersection(self.claim, other.claim) }))
      .filter(({ namespaces }) => !isEmpty(namespaces)),
    unclaimed,
    admitted: self === first ? union(self.claim, unclaimed) : self.claim,
  };
}

/** Those of the namespaces with objects of the provider that nobody watches. */
export function unclaimedInUse(
  unclaimed: NamespaceSet,
  inUse: Iterable<string>,
): readonly string[] {
  return [...new Set(inUse)].filter((namespace) => has(unclaimed, namespace)).sort();
}
