import type { Lease } from "@rookery/api";
import { type BuiltInKind, kindNames } from "../declaration/kind.ts";
import { must, nonNegative } from "../meta/checks.ts";
import { ageColumn, columns, nameColumn } from "../meta/columns.ts";
import { optional } from "../meta/combinators.ts";
import { validator } from "../meta/rules.ts";

/** The feature gate of coordinated leader election is off. */
function dropCoordination({ spec }: Lease): void {
  delete spec?.strategy;
  delete spec?.preferredHolder;
}

const validateLease = validator<Lease>({
  spec: {
    leaseDurationSeconds: optional(must((seconds) => seconds > 0, "must be greater than 0")),
    leaseTransitions: nonNegative,
  },
});

export const leaseKind: BuiltInKind<Lease> = {
  ...kindNames("coordination.k8s.io", "Lease", "leases"),
  namespaced: true,
  prepareForCreate: dropCoordination,
  prepareForUpdate: dropCoordination,
  validate: validateLease,
  validateUpdate: validateLease,
  columns: [
    nameColumn,
    ...columns<Lease>({ Holder: ({ spec }) => spec?.holderIdentity ?? "" }),
    ageColumn,
  ],
  allowsCreateOnUpdate: true,
  requiresResourceVersion: true,
};
