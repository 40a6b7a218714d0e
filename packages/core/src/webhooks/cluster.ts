import { isIP } from "node:net";
import type { Cluster } from "@rookery/api";
import { FieldError, fieldPath, validateLabelValue } from "@rookery/kube";
import { denyInvalid, type Validator } from "@rookery/runtime";
import { clusters } from "../resources.ts";

const spec = fieldPath("spec");

/** A Cluster needs a reference to a part, and keeps its references; its name must be a valid label. */
export const clusterValidator: Validator<Cluster> = {
  create: (cluster) => denyInvalid(clusters, cluster, problemsOf(cluster)),
  update: (cluster, old) => {
    denyInvalid(clusters, cluster, [...removedReferences(cluster, old), ...problemsOf(cluster)]);
  },
};

function problemsOf(cluster: Cluster): FieldError[] {
  const { name = "" } = cluster.metadata;
  const { controlPlaneRef, infrastructureRef, clusterNetwork } = cluster.spec;
  const path = fieldPath("metadata", "name");
  const nameProblems = validateLabelValue(name).map((why) =>
    FieldError.invalid(path, name, `must be a valid label value ${why}`),
  );
  const empty = "one of spec.controlPlaneRef, spec.infrastructureRef or spec.topology must be set";
  const ranges = (["pods", "services"] as const).flatMap((field) =>
    rangeProblems(clusterNetwork?.[field]?.cidrBlocks ?? [], field),
  );
  return [
    ...nameProblems,
    ...(controlPlaneRef || infrastructureRef ? [] : [FieldError.forbidden(spec, empty)]),
    ...ranges,
  ];
}

function removedReferences(cluster: Cluster, old: Cluster): FieldError[] {
  return (["infrastructureRef", "controlPlaneRef"] as const)
    .filter((field) => old.spec[field] && !cluster.spec[field])
    .map((field) => FieldError.forbidden(spec.child(field), "cannot be removed"));
}

function rangeProblems(blocks: readonly string[], field: string): FieldError[] {
  const path = spec.child("clusterNetwork", field, "cidrBlocks");
  return blocks
    .filter((block) => !isRange(block))
    .map((block) => FieldError.invalid(path, block, `invalid CIDR address: ${block}`));
}

function isRange(text: string): boolean {
  const [address = "", length = "", ...rest] = text.split("/");
  const family = isIP(address);
  const bits = family === 6 ? 128 : 32;
  return family !== 0 && rest.length === 0 && /^\d{1,3}$/.test(length) && Number(length) <= bits;
}
