import { type Client, getOptional } from "@rookery/client";
import { controllerOf, isNotFound, type KubeObject } from "@rookery/kube";
import { isBeingDeleted } from "@rookery/runtime";
import { nodes, pods } from "../../resources.ts";
import { isUnreachable, type Node } from "../node.ts";
import { drainMessage, evictionFailure } from "./drain-message.ts";

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
