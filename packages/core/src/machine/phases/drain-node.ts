import { type Client, getOptional } from "@rookery/client";
import { messageOf } from "@rookery/errors";
import {
  controllerOf,
  findStatusCause,
  findStatusError,
  isForbidden,
  isNotFound,
  isTooManyRequests,
  type KubeObject,
} from "@rookery/kube";
import { isBeingDeleted } from "@rookery/runtime";
import { nodes, pods } from "../../resources.ts";
import { isUnreachable, type Node } from "../node.ts";

interface Pod extends KubeObject {
  readonly status?: { readonly phase?: string };
}

/** Evicts the pods of a node. Returns why pods remain, by reason; undefined where none does. */
export async function drainNode(client: Client, name: string): Promise<string | undefined> {
  const node = await readNode(client, name);
  if (!node) return undefined;
  if (!node.spec?.unschedulable) {
    const patch = { spec: { unschedulable: true } };
    await client.resource<Node>(nodes).patch({ name }, { type: "merge", patch });
  }
  const isLost = isUnreachable(node);
  const { items } = await client
    .resource<Pod>(pods)
    .listAll({ fieldSelector: `spec.nodeName=${name}` });
  const leaving = items.filter((pod) => isEvicted(pod, isLost));
  const waiting = leaving.filter(isBeingDeleted);
  const failures = new Map<string, Pod[]>();
  for (const pod of leaving.filter((one) => !isBeingDeleted(one))) {
    const failure = await evict(client, pod, isLost);
    if (failure === "gone") continue;
    if (failure === undefined) waiting.push(pod);
    else failures.set(failure, [...(failures.get(failure) ?? []), pod]);
  }
  return drainMessage({ terminating: waiting, staying: failures });
}

/** Reads a node; undefined where it is gone. */
export function readNode(client: Client, name: string): Promise<Node | undefined> {
  return getOptional(client.resource<Node>(nodes), { name });
}

/** Static pods and pods of DaemonSets stay, also pods with the label, and terminating pods of a lost node. */
function isEvicted(pod: Pod, isLost: boolean): boolean {
  const { annotations = {}, labels = {} } = pod.metadata;
  const isOver = pod.status?.phase === "Succeeded" || pod.status?.phase === "Failed";
  if (isLost && isBeingDeleted(pod)) return false;
  if (!isOver && controllerOf(pod)?.kind === "DaemonSet") return false;
  if ("kubernetes.io/config.mirror" in annotations) return false;
  return labels["cluster.x-k8s.io/drain"]?.toLowerCase() !== "skip";
}

/** Why the pod stays; undefined where it terminates. */
async function evict(client: Client, pod: Pod, isLost: boolean): Promise<string | undefined> {
  const { name = "", namespace = "" } = pod.metadata;
  const eviction = {
    apiVersion: "policy/v1",
    kind: "Eviction",
    metadata: { name, namespace },
    ...(isLost && { deleteOptions: { gracePeriodSeconds: 1 } }),
  };
  try {
    await client.resource(pods).subresource("eviction").create({ namespace, name }, eviction);
    return undefined;
  } catch (error) {
    if (isNotFound(error)) return "gone";
    return evictionFailure(error);
  }
}

const stillThere = "deletionTimestamp set, but still not removed from the Node";
const budget = "annot evict pod as it would violate the pod's disruption budget.";
const namesShown = 3;
const failuresShown = 5;

/** The pods that remain on a node: those that terminate, and those that stay, by the reason why. */
interface LeftPods {
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
