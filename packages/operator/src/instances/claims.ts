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
import { describeInstance, type Family, type Instance } from "./family.ts";
import type { InstanceWarning } from "./instance-warning.ts";

/**
 * What an instance has and goes on watching although another one claims it: a claimant receives
 * namespaces only once it can take them. Until then nothing changes for the objects there.
 */
export function namespacesKeptForOthers(
  { others }: Pick<Family, "others">,
  recorded: NamespaceSet,
): NamespaceSet {
  const claims = others.filter(({ view }) => !canTake(view)).map(({ claim }) => claim);
  return intersection(recorded, union(noNamespaces, ...claims));
}

/** Whether an instance is installed, has looked at its spec as it is now, and has nothing against it. */
function canTake(view: ProviderView): boolean {
  const { metadata, status } = view.provider;
  const hasLooked = status?.observedGeneration === metadata.generation;
  return (
    isInstalled(view) &&
    hasLooked &&
    hasConditionStatus(status?.conditions, "PreflightCheckPassed", "True")
  );
}

/** What is to be known of claims that are not met: who keeps namespaces for whom, and what nobody watches. */
export function claimWarnings(family: Family): readonly InstanceWarning[] {
  return [...gapWarnings(family), ...keptWarnings(family)];
}

/** Every instance of the family tells: the one that does not run, and those that could watch instead. */
function gapWarnings({ self, others }: Family): readonly InstanceWarning[] {
  const members = [self, ...others];
  const gaps = members.flatMap((member) => {
    const why = whyBlocked(member);
    if (why === undefined) return [];
    const watched = members.filter(isRunning).flatMap(({ view }) => view.watching ?? []);
    const unwatched = minus(member.claim, ...watched);
    if (isEmpty(unwatched)) return [];
    return [
      `nobody watches ${describeSet(unwatched)}: ${describeInstance(member)} claims it, ${why}`,
    ];
  });
  return gaps.length === 0 ? [] : [{ reason: "NamespaceGap", message: gaps.join("; ") }];
}

function keptWarnings({ self, others }: Family): readonly InstanceWarning[] {
  const kept = others.flatMap((other) => {
    const namespaces = intersection(
      namespacesKeptForOthers({ others: [other] }, self.view.watching ?? noNamespaces),
      other.claim,
    );
    const why = whyBlocked(other);
    if (why === undefined || isEmpty(namespaces)) return [];
    return [
      `still watches ${describeSet(namespaces)} for ${describeInstance(other)}, which claims it, ${why}`,
    ];
  });
  return kept.length === 0 ? [] : [{ reason: "NamespacesKept", message: kept.join("; ") }];
}

/** Whether the pods of an instance do what its record says, as far as is known. */
function isRunning({ view }: Instance): boolean {
  const available = getCondition(view.provider.status?.conditions, "ProviderAvailable");
  const isFailing = available?.status === "False" && !isProgress(available.reason);
  return isInstalled(view) && !isFailing;
}

/** Undefined where an instance is well, or is on its way, or is paused: then its own conditions say enough. */
function whyBlocked({ view }: Instance): string | undefined {
  const ready = getCondition(view.provider.status?.conditions, "Ready");
  if (ready?.status !== "False" || isProgress(ready.reason)) return undefined;
  const what = isInstalled(view) ? "is not ready" : "is not installed";
  return `and ${what} (${ready.reason}): mend it, or take the namespaces out of its spec.watch`;
}
