import type {
  AppArmorProfile,
  LabelSelector,
  Pod,
  PodAffinity,
  PodStatus,
  ResourceRequirements,
} from "@rookery/api";
import { type Clock, formatTime } from "@rookery/kube";
import { quantity, type ResourceList } from "../meta/quantities.ts";
import { containersOf } from "../pod-spec/defaults.ts";
import { dropDisabledFields } from "../pod-spec/disabled-fields.ts";
import { appArmorPrefix } from "../pod-spec/pod-annotations.ts";
import { type Amounts, addAmounts } from "../pod-spec/pod-resources.ts";

type Labels = Readonly<Record<string, string>>;

/** Sets the fields of a new pod that clients cannot set. */
export function preparePod(pod: Pod, now: Clock): void {
  pod.metadata = { ...pod.metadata, generation: 1 };
  pod.spec ??= {};
  pod.status = newStatus(pod, now);
  dropDisabledFields(pod.spec);
  mergeLabelKeys(pod);
  copyAppArmor(pod);
}

function newStatus(pod: Pod, now: Clock): PodStatus {
  const status: PodStatus = { phase: "Pending", qosClass: qualityOf(pod) };
  if ((pod.spec?.schedulingGates ?? []).length === 0) return status;
  const condition = {
    type: "PodScheduled",
    status: "False",
    // As Go writes a time that is not set; its type has no null.
    lastProbeTime: null as unknown as string,
    lastTransitionTime: formatTime(now()),
    reason: "SchedulingGated",
    message: "Scheduling is blocked due to non-empty scheduling gates",
  };
  return { ...status, conditions: [condition] };
}

/** Adds the values of the labels that matchLabelKeys names to the selectors. */
function mergeLabelKeys({ metadata, spec = {} }: Pod): void {
  const labels = metadata?.labels ?? {};
  const { affinity, topologySpreadConstraints = [] } = spec;
  const terms = [
    ...termsOf(affinity?.podAffinity),
    ...termsOf(affinity?.podAntiAffinity),
    ...topologySpreadConstraints,
  ];
  for (const term of terms) {
    addLabels(term.labelSelector, term.matchLabelKeys, { labels, operator: "In" });
    const mismatched = "mismatchLabelKeys" in term ? term.mismatchLabelKeys : undefined;
    addLabels(term.labelSelector, mismatched, { labels, operator: "NotIn" });
  }
}

function termsOf(affinity: PodAffinity | undefined) {
  const preferred = affinity?.preferredDuringSchedulingIgnoredDuringExecution ?? [];
  return [
    ...preferred.flatMap(({ podAffinityTerm }) => podAffinityTerm ?? []),
    ...(affinity?.requiredDuringSchedulingIgnoredDuringExecution ?? []),
  ];
}

function addLabels(
  selector: LabelSelector | undefined,
  keys: readonly string[] | undefined,
  { labels, operator }: { readonly labels: Labels; readonly operator: string },
): void {
  if (selector === undefined) return;
  for (const key of keys ?? []) {
    const value = labels[key];
    if (value === undefined) continue;
    selector.matchExpressions = [
      ...(selector.matchExpressions ?? []),
      { key, operator, values: [value] },
    ];
  }
}

/** Fills in the field from the annotation that older versions used. */
function copyAppArmor({ metadata, spec = {} }: Pod): void {
  if (spec.os?.name === "windows") return;
  for (const container of containersOf(spec)) {
    const annotation = metadata?.annotations?.[`${appArmorPrefix}${container.name}`];
    if (annotation === undefined || container.securityContext?.appArmorProfile) continue;
    const profile = appArmorOf(annotation);
    if (profile === undefined || isSameProfile(profile, spec.securityContext?.appArmorProfile)) {
      continue;
    }
    container.securityContext = { ...container.securityContext, appArmorProfile: profile };
  }
}

function appArmorOf(annotation: string): AppArmorProfile | undefined {
  if (annotation === "unconfined") return { type: "Unconfined" };
  if (annotation === "runtime/default") return { type: "RuntimeDefault" };
  const [, localhostProfile = ""] = /^localhost\/(.+)$/.exec(annotation) ?? [];
  return localhostProfile.trim() === "" ? undefined : { type: "Localhost", localhostProfile };
}

function isSameProfile(a: AppArmorProfile, b: AppArmorProfile | undefined): boolean {
  return a.type === b?.type && a.localhostProfile === b?.localhostProfile;
}

/** Go: ComputePodQOS. */
export function qualityOf({ spec = {} }: Pod): "BestEffort" | "Burstable" | "Guaranteed" {
  const { containers = [], initContainers = [] } = spec;
  const parts: readonly ResourceRequirements[] = spec.resources
    ? [spec.resources]
    : [...containers, ...initContainers].map(({ resources = {} }) => resources);
  const requests: Amounts = new Map();
  const limits: Amounts = new Map();
  for (const part of parts) {
    addAmounts(requests, computeAmounts(part.requests));
    addAmounts(limits, computeAmounts(part.limits));
  }
  if (requests.size === 0 && limits.size === 0) return "BestEffort";
  const isLimited = spec.resources
    ? limits.size === 0 || limits.size === 2
    : parts.every(({ limits: own }) => computeAmounts(own).size === 2);
  const isEqual = [...requests].every(([name, amount]) => limits.get(name)?.equals(amount));
  return isLimited && isEqual && requests.size === limits.size ? "Guaranteed" : "Burstable";
}

/** The amounts of CPU and memory above zero. */
function computeAmounts(list: ResourceList | undefined): Amounts {
  const entries = Object.entries(list ?? {})
    .filter(([name]) => name === "cpu" || name === "memory")
    .map(([name, value]) => [name, quantity(value)] as const);
  return new Map(entries.filter(([, amount]) => amount.sign > 0));
}
