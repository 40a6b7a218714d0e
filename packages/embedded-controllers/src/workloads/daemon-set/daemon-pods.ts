import type { PodSpec, PodTemplateSpec, Toleration } from "@rookery/api";
import { deepEqual } from "@rookery/kube";
import { isBeingDeleted } from "@rookery/runtime";
import { matchesAffinity } from "../../scheduling/node-affinity.ts";
import { toleratesAll } from "../../scheduling/tolerations.ts";
import type { DaemonSet, Node, Pod } from "../shared/objects.ts";
import { isFinished } from "../shared/pod-state.ts";

export const hashLabel = "controller-revision-hash";
const generationLabel = "pod-template-generation";

/** The pods of a DaemonSet by the names of the nodes that they are meant for. */
export type NodePods = ReadonlyMap<string, readonly Pod[]>;

/** Whether a node shall have a pod, and whether it may keep the one that it has. */
export function placementOf(
  { spec }: DaemonSet,
  node: Node,
): { shouldRun: boolean; mayContinue: boolean } {
  const { spec: template = {} } = spec.template ?? {};
  const { taints = [] } = node.spec;
  const isNamed = !template.nodeName || template.nodeName === node.metadata.name;
  if (!isNamed || !matchesAffinity(template, node)) return { shouldRun: false, mayContinue: false };
  const tolerations = withDaemonTolerations(template);
  const shouldRun = toleratesAll(taints, tolerations);
  return { shouldRun, mayContinue: shouldRun || toleratesAll(taints, tolerations, ["NoExecute"]) };
}

/** The template of the pod for a node; the scheduler binds it there. */
export function templateFor(set: DaemonSet, nodeName: string, hash: string): PodTemplateSpec {
  const { metadata, spec = {} } = set.spec.template ?? {};
  const generation = templateGeneration(set);
  return {
    metadata: {
      ...metadata,
      labels: {
        ...metadata?.labels,
        ...(generation !== undefined && { [generationLabel]: generation }),
        [hashLabel]: hash,
      },
    },
    spec: {
      ...spec,
      affinity: affinityTo(spec, nodeName),
      tolerations: withDaemonTolerations(spec),
    },
  };
}

function affinityTo({ affinity }: PodSpec, nodeName: string): NonNullable<PodSpec["affinity"]> {
  const name = { key: "metadata.name", operator: "In", values: [nodeName] };
  return {
    ...affinity,
    nodeAffinity: {
      ...affinity?.nodeAffinity,
      requiredDuringSchedulingIgnoredDuringExecution: {
        nodeSelectorTerms: [{ matchFields: [name] }],
      },
    },
  };
}

/** How often the template has changed, as a text. */
function templateGeneration({ metadata }: DaemonSet): string | undefined {
  const text = metadata.annotations?.["deprecated.daemonset.template.generation"];
  return text !== undefined && /^\d+$/.test(text) ? text : undefined;
}

export function isUpdated({ metadata }: Pod, set: DaemonSet, hash: string): boolean {
  const generation = templateGeneration(set);
  const isOfGeneration =
    generation !== undefined && metadata.labels?.[generationLabel] === generation;
  return metadata.labels?.[hashLabel] === hash || isOfGeneration;
}

/** Which node a pod is on, or is meant for. */
function nodeOf({ spec }: Pod): string | undefined {
  if (spec.nodeName) return spec.nodeName;
  const required = spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  const fields = (required?.nodeSelectorTerms ?? []).flatMap(({ matchFields = [] }) => matchFields);
  const named = fields.find(({ key, operator }) => key === "metadata.name" && operator === "In");
  return named?.values?.length === 1 ? named.values[0] : undefined;
}

/** Pods that have run to their end and are being deleted do not count. */
export function byNode(pods: readonly Pod[]): NodePods {
  const counted = pods.filter((pod) => !(isFinished(pod) && isBeingDeleted(pod)));
  const groups = Map.groupBy(counted, nodeOf);
  return new Map([...groups].flatMap(([name, each]) => (name ? [[name, each] as const] : [])));
}

/** Those on a node first, the oldest first. */
export function comparePods(a: Pod, b: Pod): number {
  const created = ({ metadata }: Pod) => Date.parse(metadata.creationTimestamp ?? "") || 0;
  const isFirst = (a.metadata.name ?? "") < (b.metadata.name ?? "");
  return (
    Number(!a.spec.nodeName) - Number(!b.spec.nodeName) ||
    created(a) - created(b) ||
    (isFirst ? -1 : 1)
  );
}

const nodeTaint = (name: string, effect: string): Toleration => ({
  key: `node.kubernetes.io/${name}`,
  operator: "Exists",
  effect,
});

/** A daemon stays on a node that is unwell. */
const daemonTolerations = [
  nodeTaint("not-ready", "NoExecute"),
  nodeTaint("unreachable", "NoExecute"),
  nodeTaint("disk-pressure", "NoSchedule"),
  nodeTaint("memory-pressure", "NoSchedule"),
  nodeTaint("pid-pressure", "NoSchedule"),
  nodeTaint("unschedulable", "NoSchedule"),
];

/** The tolerations of a pod, with those of every daemon. */
function withDaemonTolerations({ tolerations = [], hostNetwork }: PodSpec): Toleration[] {
  const added = hostNetwork
    ? [...daemonTolerations, nodeTaint("network-unavailable", "NoSchedule")]
    : daemonTolerations;
  return added.reduce(withToleration, tolerations);
}

function withToleration(tolerations: Toleration[], added: Toleration): Toleration[] {
  const isOfTheSame = (each: Toleration) =>
    deepEqual({ ...each, tolerationSeconds: 0 }, { ...added, tolerationSeconds: 0 });
  if (!tolerations.some(isOfTheSame)) return [...tolerations, added];
  return tolerations.map((each) => (isOfTheSame(each) ? added : each));
}
