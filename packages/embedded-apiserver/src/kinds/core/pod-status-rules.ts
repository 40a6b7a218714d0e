import type { ContainerStatus, Pod, PodCondition, PodSpec } from "@rookery/api";
import {
  FieldError,
  type FieldPath,
  fieldPath,
  validateDns1123Subdomain,
  validateQualifiedName,
} from "@rookery/kube";
import { parseLegacyIp } from "@rookery/schema";
import { invalidEach, validateImmutable } from "../meta/field-rules.ts";
import { GoStruct } from "../meta/go-struct.ts";
import { validateIp } from "../meta/ip.ts";
import { validateAnnotationChange } from "./pod-update-rules.ts";

const path = fieldPath("status");
const systemConditions = ["PodScheduled", "Ready", "Initialized"];
const negative = "must be a non-negative integer";

/** A status says nothing of the spec, the owners and the end of a pod. */
export function prepareStatus(pod: Pod, old: Pod): void {
  if (old.spec !== undefined) pod.spec = old.spec;
  const { deletionTimestamp: _, ownerReferences: __, ...metadata } = pod.metadata ?? {};
  const owners = old.metadata?.ownerReferences;
  pod.metadata = { ...metadata, ...(owners && { ownerReferences: owners }) };
  const qosClass = pod.status?.qosClass || old.status?.qosClass;
  pod.status = { ...pod.status, ...(qosClass && { qosClass }) };
  keepGenerations(pod, old);
}

/** Writers that do not know of generations do not take them away. */
function keepGenerations(pod: Pod, old: Pod): void {
  const { status = {} } = pod;
  const { observedGeneration } = old.status ?? {};
  if (!status.observedGeneration && observedGeneration) {
    status.observedGeneration = observedGeneration;
  }
  const before = Map.groupBy(old.status?.conditions?.toReversed() ?? [], ({ type }) => type);
  for (const condition of status.conditions ?? []) {
    const known = before.get(condition.type)?.pop();
    if (!condition.observedGeneration && known?.observedGeneration) {
      condition.observedGeneration = known.observedGeneration;
    }
  }
}

/** Go: ValidatePodStatusUpdate, without the metadata. */
export function validatePodStatus(pod: Pod, old: Pod): FieldError[] {
  const [status, before, spec] = [pod.status ?? {}, old.status ?? {}, old.spec ?? {}];
  const { observedGeneration: generation = 0 } = status;
  const at = path.child("observedGeneration");
  return [
    ...validateAnnotationChange(pod, old),
    ...validateConditions(status.conditions ?? []),
    ...validateNomination(pod, old),
    ...(generation < 0 ? [FieldError.invalid(at, generation, negative)] : []),
    ...validateImmutable(status.qosClass ?? "", before.qosClass ?? "", path.child("qosClass")),
    ...(
      ["containerStatuses", "initContainerStatuses", "ephemeralContainerStatuses"] as const
    ).flatMap((list) => validateTransitions({ pod, old, list }, spec)),
    ...validatePodIps(pod, old),
    ...validateHostIps(pod, old),
  ];
}

function validateConditions(conditions: readonly PodCondition[]): FieldError[] {
  return conditions.flatMap(({ type = "", observedGeneration: generation = 0 }, i) => {
    const at = path.child("conditions").index(i);
    return [
      ...(generation < 0
        ? [FieldError.invalid(at.child("observedGeneration"), generation, negative)]
        : []),
      ...(systemConditions.includes(type)
        ? []
        : invalidEach(type, validateQualifiedName(type), at.child("Type"))),
    ];
  });
}

function validateNomination(pod: Pod, old: Pod): FieldError[] {
  const { nominatedNodeName: name = "" } = pod.status ?? {};
  if (name === "" || name === (old.status?.nominatedNodeName ?? "")) return [];
  const at = path.child("nominatedNodeName");
  const problems = invalidEach(name, validateDns1123Subdomain(name), at);
  const detail = "may not be set on pods that are already bound to a node";
  return old.spec?.nodeName ? [...problems, FieldError.forbidden(at, detail)] : problems;
}

type StatusList = "containerStatuses" | "initContainerStatuses" | "ephemeralContainerStatuses";

/** What has ended for good does not run again. */
function validateTransitions(
  { pod, old, list }: { readonly pod: Pod; readonly old: Pod; readonly list: StatusList },
  spec: PodSpec,
): FieldError[] {
  const isEphemeral = list === "ephemeralContainerStatuses";
  if (!isEphemeral && spec.restartPolicy === "Always") return [];
  const now = pod.status?.[list] ?? [];
  return (old.status?.[list] ?? []).flatMap((before, i) => {
    if (!hasEnded(before) || (!isEphemeral && mayRestart(before, spec))) return [];
    const runsAgain = now.filter(({ name, state }) => {
      return name === before.name && state?.terminated === undefined;
    });
    const at = path.child(list).index(i).child("state");
    const detail = "may not be transitioned to non-terminated state";
    return runsAgain.map(() => FieldError.forbidden(at, detail));
  });
}

function hasEnded({ state }: ContainerStatus): boolean {
  return state?.terminated !== undefined;
}

function mayRestart({ name, state }: ContainerStatus, spec: PodSpec): boolean {
  const failed = (state?.terminated?.exitCode ?? 0) !== 0;
  if (failed && spec.restartPolicy === "OnFailure") return true;
  return (spec.initContainers ?? []).some((container) => {
    return container.name === name && container.restartPolicy === "Always";
  });
}

function validatePodIps({ status }: Pod, old: Pod): FieldError[] {
  const ips = (status?.podIPs ?? []).map(({ ip = "" }) => ip);
  const known = (old.status?.podIPs ?? []).map(({ ip = "" }) => ip);
  return validateIpList(ips, known, path.child("podIPs"));
}

function validateHostIps({ status }: Pod, old: Pod): FieldError[] {
  const ips = (status?.hostIPs ?? []).map(({ ip = "" }) => ip);
  const known = (old.status?.hostIPs ?? []).map(({ ip = "" }) => ip);
  const at = path.child("hostIPs");
  const [first] = ips;
  const isOther = first !== undefined && first !== (status?.hostIP ?? "");
  return [
    ...(isOther
      ? [FieldError.invalid(at.index(0).child("ip"), first, "must be equal to `hostIP`")]
      : []),
    ...validateIpList(ips, known, at),
  ];
}

function validateIpList(
  ips: readonly string[],
  known: readonly string[],
  at: FieldPath,
): FieldError[] {
  const problems = ips.flatMap((ip, i) => validateIp(ip, at.index(i), known));
  if (ips.length < 2) return problems;
  const bad = ips.findIndex((ip) => parseLegacyIp(ip) === undefined);
  if (bad >= 0) {
    const why = `failed to check for dual stack with error:invalid IP[${bad}]: ${ips[bad]}`;
    problems.push(FieldError.internal(at, new Error(why)));
  }
  const families = new Set(ips.map((ip) => parseLegacyIp(ip)?.family));
  if (families.size === 2 && ips.length === 2) return problems;
  const shown = ips.map((ip) => new GoStruct({ IP: ip }));
  const detail = "may specify no more than one IP for each IP family";
  return [...problems, FieldError.invalid(at, shown, detail)];
}
