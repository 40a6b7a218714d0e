import {
  complement,
  everyNamespace,
  minus,
  type NamespaceSet,
  setOfFields,
  union,
} from "../identity/namespace-set.ts";
import type { ProviderView } from "../state/provider-view.ts";
import { byAge, describeProvider, isDeleting, isInstalled, suffixOf } from "./core-of.ts";

export interface InstanceWarning {
  readonly reason:
    | "NamespaceGap"
    | "ReferencesLeaveScope"
    | "ClusterRights"
    | "SharedCredentials"
    | "NamespaceMissing"
    | "NamespacesKept";
  readonly message: string;
}

/** One instance of a provider, with the namespaces that its spec claims. */
export interface Instance {
  readonly view: ProviderView;
  readonly claim: NamespaceSet;
}

type Declared = Pick<ProviderView, "provider">;

/** All instances of one provider: the objects of one kind, name and API group suffix. */
export interface Family {
  readonly self: Instance;
  readonly others: readonly Instance[];
  /** Has the shared objects, such as CRDs with their conversion, and admits namespaces that nobody claims. */
  readonly first: Instance;
}

export function familyOf(self: ProviderView, views: readonly ProviderView[]): Family {
  const members = [self, ...views.filter((view) => view !== self && isSameFamily(self, view))];
  const instances = members.map((view) => ({ view, claim: claimOf(view, members) }));
  const [own = { view: self, claim: everyNamespace }, ...others] = instances;
  return { self: own, others, first: firstOf(instances) ?? own };
}

export function describeInstance({ view }: Instance): string {
  return describeProvider(view);
}

/** Whether an instance has, or may soon have, components in the cluster. */
export function hasComponents({ view }: Instance): boolean {
  return view.installed !== undefined || view.next !== undefined;
}

function isSameFamily(a: ProviderView, b: ProviderView): boolean {
  const isSame = a.identity.kind === b.identity.kind && a.identity.name === b.identity.name;
  return isSame && suffixOf(a) === suffixOf(b);
}

/** The namespaces that a spec claims. Two instances with `rest` claim the same ones. */
export function claimOf(view: Declared, members: readonly Declared[]): NamespaceSet {
  const watch = view.provider.spec?.watch;
  if (!watch?.rest) return namedIn(view);
  const named = members.filter((one) => one !== view && !one.provider.spec?.watch?.rest);
  return complement(union(...named.map(namedIn)));
}

function namedIn({ provider }: Declared): NamespaceSet {
  return setOfFields(provider.spec?.watch ?? {});
}

/** The oldest installed instance, or else the oldest one; instances that are being deleted come last. */
function firstOf(instances: readonly Instance[]): Instance | undefined {
  const staying = instances.filter(({ view }) => !isDeleting(view));
  const candidates = staying.length > 0 ? staying : instances;
  const oldestFirst = candidates.toSorted((a, b) => byAge(a.view, b.view));
  return oldestFirst.find(hasComponents) ?? oldestFirst[0];
}

/** The installed instances that remain after this one is deleted. */
export function remainingInstances({ others }: Family): readonly Instance[] {
  return others.filter(({ view }) => isInstalled(view) && !isDeleting(view));
}

/** The namespaces that no instance watches after this one is deleted. */
export function abandonedNamespaces(family: Family): NamespaceSet {
  const views = remainingInstances(family).map(({ view }) => view);
  const claims = views.map((view) => familyOf(view, views).self.claim);
  return minus(family.self.claim, ...claims);
}

/**
 * Why the deletion of an instance has to wait. The first instance keeps the shared objects until a
 * remaining one has taken them over; if all instances are deleted, the first is deleted last.
 */
export function handoverObstacle(family: Family, isFirst: boolean): string | undefined {
  if (!isFirst) return undefined;
  const remaining = remainingInstances(family);
  if (remaining.length > 0) {
    if (remaining.some(({ view }) => view.isFirst)) return undefined;
    return `waiting for ${describeInstance(family.first)} to take over what all instances share`;
  }
  const other = family.others.find(hasComponents);
  if (other === undefined) return undefined;
  return isDeleting(other.view)
    ? `waiting for ${describeInstance(other)}, which goes, too: the first goes last`
    : `waiting for ${describeInstance(other)} to be installed, or to be deleted`;
}
