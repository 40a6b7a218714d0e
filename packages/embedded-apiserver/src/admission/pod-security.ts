import type { CronJob, Deployment, Namespace, Pod, PodSpec } from "@rookery/api";
import type { AdmissionAttributes, AdmissionPlugin } from "@rookery/apiserver";
import {
  type CheckedPod,
  controllerOf,
  describePodSecurityViolations,
  invalidError,
  type KubeObject,
  type PodSecurityLevelVersion,
  podSecurityViolations,
} from "@rookery/kube";
import type { Store } from "../store/store.ts";
import { refusal } from "./mutating.ts";
import {
  compareLevels,
  formatLevelVersion,
  type PodSecurityPolicy,
  policyOf,
} from "./pod-security-policy.ts";

/** Kinds that create pods, by group and resource. */
const controllers = new Set([
  ...["apps/deployments", "apps/replicasets", "apps/statefulsets", "apps/daemonsets"],
  ...["batch/jobs", "batch/cronjobs"],
]);
const maxPodsChecked = 3000;

/** Rejects pods that violate the policy of the namespace, and warns about templates that do. */
export function createPodSecurity(store: Store): AdmissionPlugin {
  return {
    name: "PodSecurity",
    operations: ["CREATE", "UPDATE"],
    validate: (attributes) => {
      const { resource, subresource } = attributes;
      if (subresource !== "") return;
      const name = `${resource.group}/${resource.resource}`;
      if (name === "/namespaces") validateNamespace(attributes, store);
      else if (name === "/pods") validatePod(attributes, store);
      else if (controllers.has(name)) warnOfTemplate(attributes, store);
    },
  };
}

function policyIn({ namespace: name }: AdmissionAttributes, store: Store): PodSecurityPolicy {
  const namespace = store.get({ resource: "namespaces", namespace: "", name })?.object;
  return policyOf(namespace?.metadata.labels).policy;
}

function checkedOf({ metadata, spec = {} }: Pick<Pod, "metadata" | "spec">): CheckedPod {
  return { metadata: metadata ?? {}, spec };
}

function validatePod(attributes: AdmissionAttributes, store: Store): void {
  const pod = attributes.object as Pod;
  const old = attributes.oldObject as Pod | undefined;
  if (old !== undefined && !changesContainers(pod.spec ?? {}, old.spec ?? {})) return;
  const policy = policyIn(attributes, store);
  const violations = podSecurityViolations(checkedOf(pod), policy.enforce);
  if (violations.length > 0) {
    const level = formatLevelVersion(policy.enforce);
    const why = `violates PodSecurity "${level}": ${describePodSecurityViolations(violations)}`;
    throw refusal(attributes, why);
  }
  warn(checkedOf(pod), policy.warn, attributes);
}

/** Other changes of a pod do not affect its security. */
function changesContainers(spec: PodSpec, old: PodSpec): boolean {
  const imagesOf = ({ containers = [], initContainers = [] }: PodSpec) =>
    [containers, initContainers].map((all) => all.map(({ image = "" }) => image));
  return JSON.stringify(imagesOf(spec)) !== JSON.stringify(imagesOf(old));
}

function warn(
  pod: CheckedPod,
  level: PodSecurityLevelVersion,
  attributes: AdmissionAttributes,
): void {
  const violations = podSecurityViolations(pod, level);
  if (violations.length === 0) return;
  const would = `would violate PodSecurity "${formatLevelVersion(level)}"`;
  attributes.warn(`${would}: ${describePodSecurityViolations(violations)}`);
}

function warnOfTemplate(attributes: AdmissionAttributes, store: Store): void {
  const { spec } = attributes.object as Deployment & CronJob;
  const template = spec?.template ?? spec?.jobTemplate?.spec?.template;
  if (template) warn(checkedOf(template), policyIn(attributes, store).warn, attributes);
}

/** Rejects invalid labels, and warns about existing pods. */
function validateNamespace(attributes: AdmissionAttributes, store: Store): void {
  const { object, oldObject, kind, name } = attributes;
  const { policy, problems } = policyOf((object as Namespace).metadata?.labels);
  if (oldObject === undefined) {
    if (problems.length > 0) throw invalidError(kind, name, problems);
    return;
  }
  const old = policyOf(oldObject.metadata.labels);
  const isSame = problems.map(String).join() === old.problems.map(String).join();
  if (problems.length > 0 && !isSame) throw invalidError(kind, name, problems);
  const isNoStricter =
    policy.enforce.version === old.policy.enforce.version &&
    compareLevels(policy.enforce.level, old.policy.enforce.level) < 1;
  if (policy.enforce.level === "privileged" || isNoStricter) return;
  for (const text of warningsOfPods(name, policy.enforce, store)) attributes.warn(text);
}

function warningsOfPods(
  namespace: string,
  enforce: PodSecurityLevelVersion,
  store: Store,
): string[] {
  const pods = oneOfEachControllerFirst(
    store.list("pods", { namespace }).entries.map((each) => each.object),
  );
  const checked = pods.slice(0, maxPodsChecked);
  const byReason = new Map<string, string[]>();
  for (const pod of checked) {
    const violations = podSecurityViolations(checkedOf(pod as Pod), enforce);
    if (violations.length === 0) continue;
    const reason = violations.map((each) => each.reason).join(", ");
    byReason.set(reason, [...(byReason.get(reason) ?? []), pod.metadata.name ?? ""]);
  }
  const level = formatLevelVersion(enforce);
  const violations = [...byReason].map(([reason, names]) => `${describePods(names)}: ${reason}`);
  return [
    ...(checked.length < pods.length
      ? [
          `new PodSecurity enforce level only checked against the first ${checked.length} of ${pods.length} existing pods`,
        ]
      : []),
    ...(violations.length > 0
      ? [
          `existing pods in namespace "${namespace}" violate the new PodSecurity enforce level "${level}"`,
        ]
      : []),
    ...violations.toSorted(),
  ];
}

function describePods(names: readonly string[]): string {
  const [first = "", ...others] = names.toSorted();
  if (others.length === 0) return first;
  return `${first} (and ${others.length} other ${others.length === 1 ? "pod" : "pods"})`;
}

/** Checks one pod of each controller first, because the others are alike. */
function oneOfEachControllerFirst(pods: readonly KubeObject[]): readonly KubeObject[] {
  const seen = new Set<string>();
  const later: KubeObject[] = [];
  const first = pods.filter((pod) => {
    const uid = controllerOf(pod)?.uid;
    if (uid === undefined || !seen.has(uid)) {
      if (uid !== undefined) seen.add(uid);
      return true;
    }
    later.push(pod);
    return false;
  });
  return [...first, ...later];
}
