import type { Lease } from "@rookery/api";
import { FieldError, fieldPath } from "@rookery/kube";
import type { BuiltInKind } from "../declaration/kind.ts";
import { ageColumn, column, nameColumn } from "../meta/columns.ts";

export const leaseKind: BuiltInKind<Lease> = {
  group: "coordination.k8s.io",
  version: "v1",
  kind: "Lease",
  plural: "leases",
  singular: "lease",
  namespaced: true,
  goType: "k8s.io/api/coordination/v1.Lease",
  model: "io.k8s.api.coordination.v1.Lease",
  prepareForCreate: dropCoordination,
  prepareForUpdate: dropCoordination,
  validate: validateLease,
  validateUpdate: validateLease,
  columns: [
    nameColumn,
    column("Holder", "string", ({ spec }: Lease) => spec?.holderIdentity ?? ""),
    ageColumn,
  ],
  allowsCreateOnUpdate: true,
  requiresResourceVersion: true,
};

/** Coordinated leader election is off unless a feature gate says otherwise. */
function dropCoordination({ spec }: Lease): void {
  delete spec?.strategy;
  delete spec?.preferredHolder;
}

function validateLease({ spec = {} }: Lease): FieldError[] {
  const path = fieldPath("spec");
  const { leaseDurationSeconds: seconds, leaseTransitions: transitions } = spec;
  const problems: FieldError[] = [];
  if (seconds !== undefined && seconds <= 0) {
    const detail = "must be greater than 0";
    problems.push(FieldError.invalid(path.child("leaseDurationSeconds"), seconds, detail));
  }
  if (transitions !== undefined && transitions < 0) {
    const detail = "must be greater than or equal to 0";
    problems.push(FieldError.invalid(path.child("leaseTransitions"), transitions, detail));
  }
  return problems;
}
