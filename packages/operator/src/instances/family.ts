import {
  allBut,
  complement,
  everyNamespace,
  type NamespaceSet,
  only,
  union,
} from "../identity/namespace-set.ts";
import type { ProviderView } from "../state/provider-view.ts";
import { byAge, describeProvider, isLeaving, suffixOf } from "./core-of.ts";

/** One instance of a provider, with the namespaces that its spec claims. */
export interface Instance {
  readonly view: ProviderView;
  readonly claim: NamespaceSet;
}

type Declared = Pick<ProviderView, "provider">;

/** All instances of one provider: the objects of one kind and name, under the same API groups. */
export interface Family {
  readonly self: Instance;
  readonly others: readonly Instance[];
  /** It has the conversion of all, and admits what no other does. */
  readonly first: Instance;
}

/** The instances that a provider is one of; without others, it is the first and only one. */
export function familyOf(self: ProviderView, views: readonly ProviderView[]): Family {
  const members = [self, ...views.filter((view) => view !== self && isKin(self, view))];
  const instances = members.map((view) => ({ view, claim: claimOf(view, members) }));
  const [own = { view: self, claim: everyNamespace }, ...others] = instances;
  return { self: own, others, first: firstOf(instances) ?? own };
}

/** Who lives where it does: "capi1-system/cluster-api". */
export function nameOf({ view }: Instance): string {
  const { namespace, name } = view.provider.metadata;
  return `${namespace}/${name}`;
}

export function describeInstance({ view }: Instance): string {
  return describeProvider(view);
}

/** Whether anything of an instance is in the cluster, or on its way there. */
export function isThere({ view }: Instance): boolean {
  return view.installed !== undefined || view.next !== undefined;
}

export function isGoing({ view }: Instance): boolean {
  return isLeaving(view);
}

function isKin(a: ProviderView, b: ProviderView): boolean {
  const isSame = a.identity.kind === b.identity.kind && a.identity.name === b.identity.name;
  return isSame && suffixOf(a) === suffixOf(b);
}

/**
 * The namespaces that an instance's spec claims. The rest is what nobody else claims: two that want it
 * both claim it.
 */
export function claimOf(view: Declared, members: readonly Declared[]): NamespaceSet {
  const watch = view.provider.spec?.watch;
  if (!watch?.rest) return namedBy(view);
  const named = members.filter((one) => one !== view && !one.provider.spec?.watch?.rest);
  return complement(union(...named.map(namedBy)));
}

function namedBy({ provider }: Declared): NamespaceSet {
  const { namespaces, excludedNamespaces } = provider.spec?.watch ?? {};
  if (namespaces) return only(namespaces);
  return excludedNamespaces ? allBut(excludedNamespaces) : everyNamespace;
}

/** The eldest of those that are installed, else the eldest; one that goes is none. */
function firstOf(instances: readonly Instance[]): Instance | undefined {
  const staying = instances.filter((one) => !isGoing(one));
  const candidates = staying.length > 0 ? staying : instances;
  const elders = candidates.toSorted((a, b) => byAge(a.view, b.view));
  return elders.find(isThere) ?? elders[0];
}
