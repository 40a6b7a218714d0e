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

export interface ClaimedNamespaces {
  /** Between the instance itself and others. */
  readonly clashes: readonly Clash[];
  /** Claimed by no instance. */
  readonly unclaimed: NamespaceSet;
  /** For the webhooks of the instance; the first also admits unclaimed namespaces. */
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

/** The namespaces with objects of the provider that no instance claims. */
export function unclaimedInUse(
  unclaimed: NamespaceSet,
  inUse: Iterable<string>,
): readonly string[] {
  return [...new Set(inUse)].filter((namespace) => has(unclaimed, namespace)).sort();
}
