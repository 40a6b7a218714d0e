import type { Node, NodeAddress, Taint } from "@rookery/api";
import { FieldError } from "@rookery/kube";
import { parseLegacyCidr } from "@rookery/schema";
import { positive, qualifiedName } from "../meta/checks.ts";
import { each, optional, required } from "../meta/combinators.ts";
import type { Field } from "../meta/field.ts";
import { GoStruct } from "../meta/internal-form.ts";
import { legacyCidr } from "../meta/ip.ts";
import { resourceQuantity } from "../meta/quantities.ts";
import { type Rule, type Rules, validator } from "../meta/rules.ts";
import { joinedLabelValue, taintEffect } from "../pod-spec/scheduling.ts";

const taints = each<Taint>([
  { key: qualifiedName, value: joinedLabelValue, effect: required(taintEffect) },
  ({ key = "", value = "", effect = "", timeAdded }, field) => {
    if (!field.isRepeated(`${effect}/${key}`)) return;
    const badValue = new GoStruct({
      Key: key,
      Value: value,
      Effect: effect,
      TimeAdded: timeAdded ?? null,
    });
    const detail = "taints must be unique by key and effect pair";
    field.report([new FieldError("FieldValueDuplicate", field.path, { badValue, detail })]);
  },
]);

/** Kubernetes reports taints below "metadata". */
const nodeTaints: Rule<Node> = ({ spec }, field) => {
  taints(spec?.taints, field.child("metadata", "taints"));
};

/** Go: ValidateNodeResources. */
const nodeResources: Rule<Node> = ({ status }, field) => {
  for (const list of ["capacity", "allocatable"] as const) {
    for (const [name, value] of Object.entries(status?.[list] ?? {})) {
      resourceQuantity(name)(value, field.child("status", list, name));
    }
  }
};

const swapCapacity = optional(positive);

/** Go: ValidateNode, without the metadata. */
const node: Rules<Node> = [
  nodeTaints,
  nodeResources,
  ({ status }, field) => {
    const capacity = status?.nodeInfo?.swap?.capacity;
    swapCapacity(capacity, field.child("metadata", "nodeSwapStatus", "capacity"));
  },
  { spec: { podCIDRs: [each(legacyCidr), oneCidrForEachFamily] } },
];

function oneCidrForEachFamily(cidrs: readonly string[] = [], field: Field): void {
  if (cidrs.length < 2) return;
  const bad = cidrs.findIndex((cidr) => parseLegacyCidr(cidr) === undefined);
  if (bad >= 0) {
    const why = `invalid CIDR[${bad}]: <nil> (invalid CIDR address: ${cidrs[bad]})`;
    const text = `invalid PodCIDRs. failed to check with dual stack with error:${why}`;
    field.report([FieldError.internal(field.path, new Error(text))]);
  }
  const families = new Set(cidrs.map((cidr) => parseLegacyCidr(cidr)?.address.family));
  if (bad < 0 && families.size === 2 && cidrs.length === 2) return;
  field.invalid(cidrs, "may specify no more than one CIDR for each IP family");
}

/** Go: ValidateNodeUpdate, without the metadata. */
const nodeUpdate: Rules<Node> = [
  nodeResources,
  { status: { addresses: each(uniqueAddress) } },
  ({ spec = {} }, field) => {
    const { spec: old = {} } = field.old as Node;
    const at = field.child("spec");
    cidrChange(spec.podCIDRs ?? [], old.podCIDRs ?? [], at.child("podCIDRs"));
    if (old.providerID && old.providerID !== spec.providerID) {
      const detail = 'node updates may not change providerID except from "" to valid';
      at.child("providerID").forbidden(detail);
    }
  },
  nodeTaints,
  ({ spec }, field) => {
    const { spec: old } = field.old as Node;
    if ((old?.externalID ?? "") === (spec?.externalID ?? "")) return;
    field.child("spec", "externalID").forbidden("may not be updated");
  },
];

function cidrChange(cidrs: readonly string[], old: readonly string[], field: Field): void {
  if (old.length === 0) return;
  const changed = old.filter((cidr, i) => cidr !== cidrs[i]);
  const count = old.length === cidrs.length ? changed.length : 1;
  for (let i = 0; i < count; i++) {
    field.forbidden('node updates may not change podCIDR except from "" to valid');
  }
}

function uniqueAddress({ type = "", address = "" }: NodeAddress, field: Field): void {
  if (!field.isRepeated(JSON.stringify([type, address]))) return;
  field.duplicate(new GoStruct({ Type: type, Address: address }));
}

export const validateNode = validator(node);
export const validateNodeStatus = validator(nodeUpdate);
export const validateNodeUpdate = validator<Node>([node, nodeUpdate]);
