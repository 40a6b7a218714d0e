import { messageOf } from "@rookery/errors";
import {
  findStatusCause,
  findStatusError,
  isForbidden,
  isTooManyRequests,
  type KubeObject,
} from "@rookery/kube";

const stillThere = "deletionTimestamp set, but still not removed from the Node";
const budget = "annot evict pod as it would violate the pod's disruption budget.";
const namesShown = 3;
const failuresShown = 5;

/** The pods that remain on a node: those that terminate, and those that stay, by the reason why. */
export interface LeftPods {
  readonly terminating: readonly KubeObject[];
  readonly staying: ReadonlyMap<string, readonly KubeObject[]>;
}

/** Why pods remain, in the words of the real core. Undefined where none does. */
export function drainMessage({ terminating, staying }: LeftPods): string | undefined {
  const failures = [...staying].sort(([one], [other]) => (one < other ? -1 : 1));
  const others = failures.slice(failuresShown).flatMap(([, pods]) => pods).length;
  const lines = [
    ...(terminating.length > 0 ? [line(terminating, stillThere)] : []),
    ...failures.slice(0, failuresShown).map(([why, pods]) => line(pods, shown(why))),
    ...(others > 0 ? [`* ${others} ${others > 1 ? "Pods" : "Pod"} with other issues`] : []),
  ];
  return lines.length > 0 ? lines.join("\n") : undefined;
}

/** Why a pod could not be evicted. */
export function evictionFailure(error: unknown): string {
  const message = messageOf(error);
  if (isForbidden(error) && findStatusCause(error, "NamespaceTerminating")) {
    return "Cannot evict pod from terminating namespace: unable to create eviction (kube-controller-manager should set deletionTimestamp)";
  }
  const details = findStatusError(error)?.status.details;
  if (!isTooManyRequests(error) || !details) return message;
  // Only the causes name the budget.
  return `${message} ${(details.causes ?? []).map((cause) => cause.message ?? "").join()}`;
}

function shown(why: string): string {
  const text = why.replaceAll(`C${budget}`, `c${budget}`);
  return text.startsWith(`c${budget}`) ? text : `failed to evict Pod, ${text}`;
}

function line(pods: readonly KubeObject[], why: string): string {
  const names = pods.map(({ metadata }) => `${metadata.namespace}/${metadata.name}`).sort();
  const more = names.length - namesShown;
  const shown = names.slice(0, namesShown).join(", ") + (more > 0 ? `, ... (${more} more)` : "");
  return `* ${pods.length > 1 ? "Pods" : "Pod"} ${shown}: ${why}`;
}
