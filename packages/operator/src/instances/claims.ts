import { getCondition, hasConditionStatus } from "@rookery/kube";
import { isProgress } from "../conditions/reasons.ts";
import {
  describeSet,
  intersection,
  isEmpty,
  minus,
  type NamespaceSet,
  noNamespaces,
  union,
} from "../identity/namespace-set.ts";
import type { ProviderView } from "../state/provider-view.ts";
import { isInstalled } from "./core-of.ts";
import { describeInstance, type Family, type Instance, type InstanceWarning } from "./family.ts";

/** Recorded namespaces that an instance watches until the instance that claims them can. */
export function namespacesKeptForOthers(
  { others }: Pick<Family, "others">,
  recorded: NamespaceSet,
): NamespaceSet {
  const claims = others.filter(({ view }) => !canTake(view)).map(({ claim }) => claim);
  return intersection(recorded, union(noNamespaces, ...claims));
}

function canTake(view: ProviderView): boolean {
  const { metadata, status } = view.provider;
  return (
    isInstalled(view) &&
    status?.observedGeneration === metadata.generation &&
    hasConditionStatus(status?.conditions, "PreflightCheckPassed", "True")
  );
}

export function claimWarnings(family: Family): readonly InstanceWarning[] {
  return [...gapWarnings(family), ...keptWarnings(family)];
}

/** The same on every instance of the family: on the blocked one, and on those that could take over. */
function gapWarnings({ self, others }: Family): readonly InstanceWarning[] {
  const members = [self, ...others];
  const gaps = members.flatMap((member) => {
    const why = whyBlocked(member);
    if (why === undefined) return [];
    const watched = members.filter(isRunning).flatMap(({ view }) => view.watching ?? []);
    const unwatched = minus(member.claim, ...watched);
    if (isEmpty(unwatched)) return [];
    const claimant = describeInstance(member);
    return [`nobody watches ${describeSet(unwatched)}: ${claimant} claims it, ${why}`];
  });
  return gaps.length === 0 ? [] : [{ reason: "NamespaceGap", message: gaps.join("; ") }];
}

function keptWarnings({ self, others }: Family): readonly InstanceWarning[] {
  const watching = self.view.watching ?? noNamespaces;
  const kept = others.flatMap((other) => {
    const namespaces = intersection(
      namespacesKeptForOthers({ others: [other] }, watching),
      other.claim,
    );
    const why = whyBlocked(other);
    if (why === undefined || isEmpty(namespaces)) return [];
    const claimant = describeInstance(other);
    return [`still watches ${describeSet(namespaces)} for ${claimant}, which claims it, ${why}`];
  });
  return kept.length === 0 ? [] : [{ reason: "NamespacesKept", message: kept.join("; ") }];
}

function isRunning({ view }: Instance): boolean {
  const available = getCondition(view.provider.status?.conditions, "ProviderAvailable");
  const isFailing = available?.status === "False" && !isProgress(available.reason);
  return isInstalled(view) && !isFailing;
}

/** Undefined if an instance is ready, in progress or paused. */
function whyBlocked({ view }: Instance): string | undefined {
  const ready = getCondition(view.provider.status?.conditions, "Ready");
  if (ready?.status !== "False" || isProgress(ready.reason)) return undefined;
  const what = isInstalled(view) ? "is not ready" : "is not installed";
  return `and ${what} (${ready.reason}): mend it, or take the namespaces out of its spec.watch`;
}
