import type { Machine } from "@rookery/api";
import { clusterNameLabel } from "@rookery/cluster-api";
import { FieldError, fieldPath } from "@rookery/kube";
import { denyInvalid, type Mutator, type Validator } from "@rookery/runtime";
import { machines } from "../resources.ts";

const spec = fieldPath("spec");
const deletionSeconds = 10;
const version = /^v(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)([-0-9a-zA-Z_.+]*)?$/;

/** Adds the label of the cluster, the v of the version, and the time limit to delete the node. */
export const defaultMachine: Mutator<Machine> = (machine) => {
  const { metadata, spec } = machine;
  const { version, deletion } = spec;
  const limits = { nodeDeletionTimeoutSeconds: deletionSeconds, ...deletion };
  return {
    ...machine,
    metadata: {
      ...metadata,
      labels: { ...metadata.labels, [clusterNameLabel]: spec.clusterName },
    },
    spec: {
      ...spec,
      ...(version && !version.startsWith("v") && { version: `v${version}` }),
      deletion: limits,
    },
  };
};

/** A Machine needs bootstrap data; its cluster is immutable. */
export const machineValidator: Validator<Machine> = {
  create: (machine) => denyInvalid(machines, machine, problemsOf(machine)),
  update: (machine, old) => {
    const isMoved = machine.spec.clusterName !== old.spec.clusterName;
    const moved = FieldError.forbidden(spec.child("clusterName"), "field is immutable");
    denyInvalid(machines, machine, [...problemsOf(machine), ...(isMoved ? [moved] : [])]);
  },
};

function problemsOf({ metadata, spec: { bootstrap, version: wanted } }: Machine): FieldError[] {
  const isPooled =
    "cluster.x-k8s.io/pool-name" in (metadata.labels ?? {}) ||
    (metadata.ownerReferences ?? []).some(({ kind }) => kind === "MachinePool");
  const needed =
    "expected either spec.bootstrap.dataSecretName or spec.bootstrap.configRef to be populated";
  const isBare = !bootstrap.configRef && bootstrap.dataSecretName === undefined && !isPooled;
  const invalid = wanted && !version.test(wanted);
  const why = "must be a valid semantic version";
  return [
    ...(isBare ? [FieldError.required(spec.child("bootstrap"), needed)] : []),
    ...(invalid ? [FieldError.invalid(spec.child("version"), wanted, why)] : []),
  ];
}
