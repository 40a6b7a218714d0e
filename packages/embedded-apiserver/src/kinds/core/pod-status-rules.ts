import type { ContainerStatus, Pod, PodCondition, PodSpec } from "@rookery/api";
import { FieldError } from "@rookery/kube";
import { parseLegacyIp } from "@rookery/schema";
import { dns1123Subdomain, inRange, qualifiedName } from "../meta/checks.ts";
import { each, struct } from "../meta/combinators.ts";
import type { Field } from "../meta/field.ts";
import { immutableDetail } from "../meta/field-rules.ts";
import { GoStruct } from "../meta/internal-form.ts";
import { legacyIpOr } from "../meta/ip.ts";
import { type Rules, validator } from "../meta/rules.ts";
import { annotationChange } from "./pod-update-rules.ts";

const systemConditions = ["PodScheduled", "Ready", "Initialized"];
const statusLists = [
  "containerStatuses",
  "initContainerStatuses",
  "ephemeralContainerStatuses",
] as const;

/** Writes of the status keep the spec, the owners and the deletion timestamp. */
export function prepareStatus(pod: Pod, old: Pod): void {
  if (old.spec !== undefined) pod.spec = old.spec;
  const { deletionTimestamp: _, ownerReferences: __, ...metadata } = pod.metadata ?? {};
  const owners = old.metadata?.ownerReferences;
  pod.metadata = { ...metadata, ...(owners && { ownerReferences: owners }) };
  const qosClass = pod.status?.qosClass || old.status?.qosClass;
  pod.status = { ...pod.status, ...(qosClass && { qosClass }) };
  keepGenerations(pod, old);
}

/** Writers that do not set observed generations keep the stored ones. */
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

const observedGeneration = inRange(0, Number.POSITIVE_INFINITY, "must be a non-negative integer");

const condition: Rules<PodCondition> = [
  { observedGeneration },
  ({ type = "" }, field) => {
    if (!systemConditions.includes(type)) qualifiedName(type, field.child("Type"));
  },
];

/** Go: ValidatePodStatusUpdate, without the metadata. */
export const validatePodStatus = validator<Pod>([
  annotationChange,
  { status: { conditions: each(condition) } },
  nomination,
  { status: struct({ observedGeneration, qosClass: keptQuality }) },
  transitions,
  podIps,
  hostIps,
]);

function keptQuality(quality: string | undefined, field: Field): void {
  if ((quality ?? "") !== (field.old ?? "")) field.invalid(quality ?? "", immutableDetail);
}

function nomination({ status }: Pod, field: Field): void {
  const old = field.old as Pod;
  const { nominatedNodeName: name = "" } = status ?? {};
  if (name === "" || name === (old.status?.nominatedNodeName ?? "")) return;
  const at = field.child("status", "nominatedNodeName");
  dns1123Subdomain(name, at);
  const detail = "may not be set on pods that are already bound to a node";
  if (old.spec?.nodeName) at.forbidden(detail);
}

/** A container that must not restart stays terminated. */
function transitions({ status }: Pod, field: Field): void {
  const { spec = {}, status: old } = field.old as Pod;
  for (const list of statusLists) {
    const isEphemeral = list === "ephemeralContainerStatuses";
    if (!isEphemeral && spec.restartPolicy === "Always") continue;
    const now = status?.[list] ?? [];
    old?.[list]?.forEach((before, i) => {
      const mayRun = !isEphemeral && mayRestart(before, spec);
      if (before.state?.terminated === undefined || mayRun) return;
      const at = field.child("status", list).index(i).child("state");
      for (const { name, state } of now) {
        if (name !== before.name || state?.terminated !== undefined) continue;
        at.forbidden("may not be transitioned to non-terminated state");
      }
    });
  }
}

function mayRestart({ name, state }: ContainerStatus, spec: PodSpec): boolean {
  const failed = (state?.terminated?.exitCode ?? 0) !== 0;
  if (failed && spec.restartPolicy === "OnFailure") return true;
  return (spec.initContainers ?? []).some((container) => {
    return container.name === name && container.restartPolicy === "Always";
  });
}

function podIps({ status }: Pod, field: Field): void {
  const old = field.old as Pod;
  ipList(ipsOf(status?.podIPs), ipsOf(old.status?.podIPs), field.child("status", "podIPs"));
}

function hostIps({ status }: Pod, field: Field): void {
  const old = field.old as Pod;
  const ips = ipsOf(status?.hostIPs);
  const at = field.child("status", "hostIPs");
  const [first] = ips;
  if (first !== undefined && first !== (status?.hostIP ?? "")) {
    at.index(0).child("ip").invalid(first, "must be equal to `hostIP`");
  }
  ipList(ips, ipsOf(old.status?.hostIPs), at);
}

function ipsOf(list: readonly { readonly ip?: string }[] | undefined): string[] {
  return (list ?? []).map(({ ip = "" }) => ip);
}

function ipList(ips: readonly string[], known: readonly string[], field: Field): void {
  const ipOrKnown = legacyIpOr(known);
  ips.forEach((ip, i) => {
    ipOrKnown(ip, field.index(i));
  });
  if (ips.length < 2) return;
  const bad = ips.findIndex((ip) => parseLegacyIp(ip) === undefined);
  if (bad >= 0) {
    const why = `failed to check for dual stack with error:invalid IP[${bad}]: ${ips[bad]}`;
    field.report([FieldError.internal(field.path, new Error(why))]);
  }
  const families = new Set(ips.map((ip) => parseLegacyIp(ip)?.family));
  if (families.size === 2 && ips.length === 2) return;
  const shown = ips.map((ip) => new GoStruct({ IP: ip }));
  field.invalid(shown, "may specify no more than one IP for each IP family");
}
