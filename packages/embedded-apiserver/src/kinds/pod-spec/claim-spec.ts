import type {
  PersistentVolumeClaim,
  PersistentVolumeClaimSpec,
  PersistentVolumeClaimTemplate,
  TypedObjectReference,
} from "@rookery/api";
import {
  annotations,
  dns1123Label,
  dns1123Subdomain,
  labelSelector,
  labels,
  oneOf,
} from "../meta/checks.ts";
import { firstOf, optional, required, struct, unlessEmpty } from "../meta/combinators.ts";
import type { Field } from "../meta/field.ts";
import {
  positiveQuantity,
  resourceQuantity,
  roundUpResources,
  wholeBytes,
} from "../meta/quantities.ts";
import { type Rule, type Rules, ruleOf } from "../meta/rules.ts";

const short: readonly (readonly [string, string])[] = [
  ["ReadWriteOnce", "RWO"],
  ["ReadOnlyMany", "ROX"],
  ["ReadWriteMany", "RWX"],
  ["ReadWriteOncePod", "RWOP"],
];

/** Formats access modes like kubectl: "RWO,ROX". */
export function formatAccessModes(modes: readonly string[]): string {
  return short
    .filter(([mode]) => modes.includes(mode))
    .map(([, name]) => name)
    .join(",");
}

const knownModes = ["ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod"];
const accessMode = oneOf(...knownModes);

export const volumeMode = optional(oneOf("Block", "Filesystem"));
/** The name of a StorageClass or a VolumeAttributesClass. */
export const className = unlessEmpty(dns1123Subdomain);

/** The access modes of a claim or a volume. */
export const accessModes: Rule<readonly string[] | undefined> = (modes = [], field) => {
  for (const mode of modes) accessMode(mode, field);
  const known = new Set(modes.filter((mode) => knownModes.includes(mode)));
  if (!known.has("ReadWriteOncePod") || known.size < 2) return;
  field.forbidden("may not use ReadWriteOncePod with other access modes");
};

const source: Rules<TypedObjectReference | undefined> = [
  { name: required(), kind: required() },
  optional(({ apiGroup, kind = "" }, field) => {
    const detail = "must be 'PersistentVolumeClaim' when referencing the default apiGroup";
    if (!apiGroup && kind !== "PersistentVolumeClaim") field.invalid(kind, detail);
  }),
  { apiGroup: unlessEmpty(dns1123Subdomain), namespace: unlessEmpty(dns1123Label) },
];

function sourcesMatch({ dataSource, dataSourceRef }: PersistentVolumeClaimSpec, field: Field) {
  if (dataSource === undefined || dataSourceRef === undefined) return;
  // Go shows the path, whose fields are private: an empty object.
  if (dataSourceRef.namespace) {
    field.invalid({}, "may not be specified when dataSourceRef.namespace is specified");
  } else if (!isSameSource(dataSource, dataSourceRef)) {
    field.invalid({}, "must match dataSourceRef");
  }
}

function isSameSource(a: TypedObjectReference, b: TypedObjectReference): boolean {
  // An empty group counts as set, null does not.
  return (
    (a.apiGroup ?? undefined) === (b.apiGroup ?? undefined) &&
    a.kind === b.kind &&
    a.name === b.name
  );
}

const storage = required<string | number>(firstOf(positiveQuantity, resourceQuantity("storage")));

/** Go: ValidatePersistentVolumeClaimSpec. */
export const claimSpec: Rules<PersistentVolumeClaimSpec> = [
  {
    accessModes: required([], "at least 1 access mode is required"),
    selector: labelSelector,
  },
  { accessModes },
  ({ resources }, field) => {
    storage(resources?.requests?.storage, field.child("resources").key("storage"));
  },
  { storageClassName: className, volumeMode, dataSource: source, dataSourceRef: source },
  sourcesMatch,
  { volumeAttributesClassName: className },
];

/** The template of the claim of an ephemeral volume: labels, annotations and a spec. */
export const claimTemplate: Rules<PersistentVolumeClaimTemplate> = {
  metadata: [
    { annotations, labels },
    optional((metadata, field) => {
      for (const [key, value] of Object.entries(metadata)) {
        const isAllowed = key === "labels" || key === "annotations";
        if (!isAllowed && value != null) field.child(key).forbidden("cannot be set");
      }
    }),
  ],
  spec: struct(claimSpec),
};

/** The defaults of a claim, and of the claim templates of a StatefulSet. */
export function claimDefaults(claim: PersistentVolumeClaim): void {
  claim.spec ??= {};
  claim.status ??= {};
  claim.status.phase ||= "Pending";
  claim.spec.volumeMode ??= "Filesystem";
  roundUpResources(claim.spec.resources?.limits);
  roundUpResources(claim.spec.resources?.requests);
  roundUpResources(claim.status.capacity);
  roundUpResources(claim.status.allocatedResources);
}

const wholeStorage = wholeBytes("storage");

/** Warns about requests and limits of a fraction of a byte. */
export const storageWarnings = ruleOf<PersistentVolumeClaimSpec | undefined>({
  resources: { requests: wholeStorage, limits: wholeStorage },
});
