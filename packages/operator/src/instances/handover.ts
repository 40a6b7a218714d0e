import { minus, type NamespaceSet } from "../identity/namespace-set.ts";
import { isInstalled } from "./core-of.ts";
import {
  describeInstance,
  type Family,
  familyOf,
  type Instance,
  isGoing,
  isThere,
} from "./family.ts";

/** The instances that are installed and stay when this one goes. */
export function remainingInstances({ others }: Family): readonly Instance[] {
  return others.filter((one) => isInstalled(one.view) && !isGoing(one));
}

/** The namespaces that nobody watches any more when an instance goes. */
export function abandonedNamespaces(family: Family): NamespaceSet {
  const views = remainingInstances(family).map(({ view }) => view);
  const claims = views.map((view) => familyOf(view, views).self.claim);
  return minus(family.self.claim, ...claims);
}

/**
 * Why an instance that goes has to wait for others: what all share is its own until another one, of
 * those that stay, has taken it over; of instances that all go, the first goes last.
 */
export function handoverObstacle(family: Family, isFirst: boolean): string | undefined {
  if (!isFirst) return undefined;
  const heirs = remainingInstances(family);
  if (heirs.length > 0) {
    if (heirs.some(({ view }) => view.isFirst)) return undefined;
    return `waiting for ${describeInstance(family.first)} to take over what all instances share`;
  }
  const [other] = family.others.filter(isThere);
  if (other === undefined) return undefined;
  return isGoing(other)
    ? `waiting for ${describeInstance(other)}, which goes, too: the first goes last`
    : `waiting for ${describeInstance(other)} to be installed, or to be deleted`;
}
