import type { Node, NodeAddress, Taint } from "@rookery/api";
import { FieldError, type FieldPath, fieldPath, validateLabelValue } from "@rookery/kube";
import { parseLegacyCidr } from "@rookery/schema";
import { validateLabelName, validatePositive } from "../meta/field-rules.ts";
import { GoStruct } from "../meta/go-struct.ts";
import { validateCidr } from "../meta/ip.ts";
import { validateResourceQuantity } from "../meta/quantities.ts";
import { validateTaintEffect } from "../pod-spec/scheduling.ts";

const taintsPath = fieldPath("metadata", "taints");
const cidrsPath = fieldPath("spec", "podCIDRs");

/** Go: ValidateNode, without the metadata. */
export function validateNode(node: Node): FieldError[] {
  const { spec = {}, status } = node;
  const capacity = status?.nodeInfo?.swap?.capacity;
  return [
    ...validateTaints(spec.taints ?? [], taintsPath),
    ...validateNodeResources(node),
    ...(capacity === undefined
      ? []
      : validatePositive(capacity, fieldPath("metadata", "nodeSwapStatus", "capacity"))),
    ...validatePodCidrs(spec.podCIDRs ?? []),
  ];
}

/** Go: ValidateNodeUpdate, without the metadata. */
export function validateNodeUpdate(node: Node, old: Node): FieldError[] {
  const [spec, before] = [node.spec ?? {}, old.spec ?? {}];
  const moved = 'node updates may not change providerID except from "" to valid';
  const isMoved = before.providerID && before.providerID !== spec.providerID;
  const isRenamed = (before.externalID ?? "") !== (spec.externalID ?? "");
  return [
    ...validateNodeResources(node),
    ...validateAddresses(node.status?.addresses ?? []),
    ...validateCidrChange(spec.podCIDRs ?? [], before.podCIDRs ?? []),
    ...(isMoved ? [FieldError.forbidden(fieldPath("spec", "providerID"), moved)] : []),
    ...validateTaints(spec.taints ?? [], taintsPath),
    ...(isRenamed
      ? [FieldError.forbidden(fieldPath("spec", "externalID"), "may not be updated")]
      : []),
  ];
}

function validateTaints(taints: readonly Taint[], path: FieldPath): FieldError[] {
  const seen = new Set<string>();
  return taints.flatMap((taint, i) => {
    const { key = "", value = "", effect = "" } = taint;
    const at = path.index(i);
    const problems = validateLabelValue(value);
    const id = `${effect}/${key}`;
    const isRepeated = seen.has(id);
    seen.add(id);
    return [
      ...validateLabelName(key, at.child("key")),
      ...(problems.length === 0
        ? []
        : [FieldError.invalid(at.child("value"), value, problems.join(";"))]),
      ...(effect === ""
        ? [FieldError.required(at.child("effect"), "")]
        : validateTaintEffect(effect, at.child("effect"))),
      ...(isRepeated ? [repeatedTaint(taint, at)] : []),
    ];
  });
}

function repeatedTaint(taint: Taint, path: FieldPath): FieldError {
  const { key = "", value = "", effect = "", timeAdded } = taint;
  const shown = { Key: key, Value: value, Effect: effect, TimeAdded: timeAdded ?? null };
  const detail = "taints must be unique by key and effect pair";
  return new FieldError("FieldValueDuplicate", path, { badValue: new GoStruct(shown), detail });
}

function validateNodeResources({ status }: Node): FieldError[] {
  return (["capacity", "allocatable"] as const).flatMap((list) =>
    Object.entries(status?.[list] ?? {}).flatMap(([name, value]) =>
      validateResourceQuantity(name, value, fieldPath("status", list, name)),
    ),
  );
}

function validatePodCidrs(cidrs: readonly string[]): FieldError[] {
  const problems = cidrs.flatMap((cidr, i) => validateCidr(cidr, cidrsPath.index(i)));
  if (cidrs.length < 2) return problems;
  const bad = cidrs.findIndex((cidr) => parseLegacyCidr(cidr) === undefined);
  if (bad >= 0) {
    const why = `invalid CIDR[${bad}]: <nil> (invalid CIDR address: ${cidrs[bad]})`;
    const text = `invalid PodCIDRs. failed to check with dual stack with error:${why}`;
    problems.push(FieldError.internal(cidrsPath, new Error(text)));
  }
  const families = new Set(cidrs.map((cidr) => parseLegacyCidr(cidr)?.address.family));
  if (bad < 0 && families.size === 2 && cidrs.length === 2) return problems;
  const detail = "may specify no more than one CIDR for each IP family";
  return [...problems, FieldError.invalid(cidrsPath, cidrs, detail)];
}

function validateCidrChange(cidrs: readonly string[], old: readonly string[]): FieldError[] {
  if (old.length === 0) return [];
  const detail = 'node updates may not change podCIDR except from "" to valid';
  const changed = old.filter((cidr, i) => cidr !== cidrs[i]);
  const count = old.length === cidrs.length ? changed.length : 1;
  return Array.from({ length: count }, () => FieldError.forbidden(cidrsPath, detail));
}

function validateAddresses(addresses: readonly NodeAddress[]): FieldError[] {
  return addresses.flatMap(({ type = "", address = "" }, i) => {
    const isRepeated = addresses
      .slice(0, i)
      .some((other) => other.type === type && other.address === address);
    const shown = new GoStruct({ Type: type, Address: address });
    const at = fieldPath("status", "addresses").index(i);
    return isRepeated ? [FieldError.duplicate(at, shown)] : [];
  });
}
