import { minus, type NamespaceSet } from "../identity/namespace-set.ts";
import { isDeleting, isInstalled } from "./core-of.ts";
import { describeInstance, type Family, familyOf, hasComponents, type Instance } from "./family.ts";

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
