import { isBeingDeleted } from "@rookery/runtime";
import type { DaemonSet, Pod } from "../shared/objects.ts";
import { isAvailable } from "../shared/pod-state.ts";
import { scaledValue } from "../shared/scaled-value.ts";
import { isUpdated, type NodePods, placementOf } from "./daemon-pods.ts";
import type { Daemons, Plan } from "./manage-nodes.ts";

/** One node's pods: of the wanted template and of an older one. */
interface Pair {
  readonly node: string;
  readonly newest: Pod | undefined;
  readonly old: Pod | undefined;
  /** Where there are several of one, nothing is done until that has been repaired. */
  readonly isClear: boolean;
}

/** Which old pods may go now, and which nodes may have a second one. */
export function planUpdate(daemons: Daemons): Plan {
  const { set, nodes } = daemons;
  const wanting = nodes.filter((node) => placementOf(set, node).shouldRun);
  const { surge, unavailable } = limitsOf(set, wanting.length);
  const names = wanting.map(({ metadata }) => metadata.name ?? "");
  const pods: NodePods = new Map([...names.map((name) => [name, []] as const), ...daemons.pods]);
  const pairs = [...pods].map(([node, each]) => pairOf(node, each, daemons));
  return surge === 0
    ? replaceInPlace(daemons, pairs, unavailable)
    : replaceWithSurge(daemons, pairs, { surge, desired: wanting.length });
}

function limitsOf({ spec }: DaemonSet, desired: number) {
  const { maxSurge, maxUnavailable } = spec.updateStrategy?.rollingUpdate ?? {};
  const surge = scaledValue(maxSurge, desired, "up");
  const unavailable = scaledValue(maxUnavailable, desired, "up");
  return { surge, unavailable: surge === 0 && unavailable === 0 ? 1 : unavailable };
}

function pairOf(node: string, pods: readonly Pod[], { set, hash }: Daemons): Pair {
  const there = pods.filter((pod) => !isBeingDeleted(pod));
  const newest = there.filter((pod) => isUpdated(pod, set, hash));
  const old = there.filter((pod) => !isUpdated(pod, set, hash));
  const isClear = newest.length <= 1 && old.length <= 1;
  return { node, newest: newest[0], old: old[0], isClear };
}

function serves({ set, scope }: Daemons, pod: Pod | undefined): boolean {
  const { minReadySeconds = 0 } = set.spec;
  return pod !== undefined && isAvailable(pod, minReadySeconds, scope.context.now());
}

/** Old pods that do not serve go at once, the others as far as few enough are missing. */
function replaceInPlace(daemons: Daemons, pairs: readonly Pair[], unavailable: number): Plan {
  const isOldAlone = ({ isClear, newest, old }: Pair) => isClear && old && !newest;
  const serving = pairs.filter((pair) => isOldAlone(pair) && serves(daemons, pair.old));
  const failing = pairs.filter((pair) => isOldAlone(pair) && !serves(daemons, pair.old));
  const updated = pairs.filter((pair) => pair.isClear && !pair.old && serves(daemons, pair.newest));
  const missing = pairs.length - serving.length - updated.length;
  const allowed = serving.slice(0, Math.max(0, unavailable - missing));
  return { create: [], remove: [...failing, ...allowed].flatMap(({ old }) => old ?? []) };
}

/** A node gets its new pod beside the old one, which goes when the new one serves. */
function replaceWithSurge(
  daemons: Daemons,
  pairs: readonly Pair[],
  { surge, desired }: { readonly surge: number; readonly desired: number },
): Plan {
  const { set, nodes } = daemons;
  const fitting = new Set(
    nodes.filter((node) => placementOf(set, node).shouldRun).map(({ metadata }) => metadata.name),
  );
  const isOn = ({ node }: Pair) => fitting.has(node);
  const clear = pairs.filter(({ isClear }) => isClear);
  const alone = clear.filter(({ old, newest }) => old && !newest);
  const both = clear.filter(({ old, newest }) => old && newest);
  const isServing = ({ old, newest }: Pair) => serves(daemons, old ?? newest);
  const surging =
    pairs.length - clear.length + both.filter((pair) => !serves(daemons, pair.newest)).length;
  const gone = alone.filter((pair) => !isOn(pair));
  const spare = Math.max(0, clear.filter(isServing).length - desired);
  const remove = [
    ...both.filter((pair) => serves(daemons, pair.newest)),
    ...gone.filter((pair) => !serves(daemons, pair.old)),
    ...gone.filter((pair) => serves(daemons, pair.old)).slice(0, spare),
  ];
  const failing = alone.filter((pair) => isOn(pair) && !serves(daemons, pair.old));
  const serving = alone.filter((pair) => isOn(pair) && serves(daemons, pair.old));
  const create = [...failing, ...serving.slice(0, Math.max(0, surge - surging))];
  return {
    create: create.map(({ node }) => node),
    remove: remove.flatMap(({ old }) => old ?? []),
  };
}
