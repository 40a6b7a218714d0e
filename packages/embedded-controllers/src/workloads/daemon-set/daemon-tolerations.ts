import type { PodSpec, Toleration } from "@rookery/api";
import { deepEqual } from "@rookery/kube";

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

/** What a pod tolerates, with what every daemon does. */
export function withDaemonTolerations({ tolerations = [], hostNetwork }: PodSpec): Toleration[] {
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
