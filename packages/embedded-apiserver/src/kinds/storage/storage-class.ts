import type { StorageClass } from "@rookery/api";
import { validateQualifiedName } from "@rookery/kube";
import type { BuiltInKind } from "../declaration/kind.ts";
import { immutable, oneOf } from "../meta/checks.ts";
import { ageColumn, column, nameColumn } from "../meta/columns.ts";
import { required, unlessEmpty } from "../meta/combinators.ts";
import type { Field } from "../meta/field.ts";
import { isSameValue } from "../meta/field-rules.ts";
import { kindNames } from "../meta/kind-names.ts";
import { type Rule, type Rules, validator } from "../meta/rules.ts";
import { allowedTopologies, topologyWarnings } from "./allowed-topologies.ts";

const maxParameters = 512;
const maxParametersBytes = 256 * 1024;
const defaultAnnotations = [
  "storageclass.kubernetes.io/is-default-class",
  "storageclass.beta.kubernetes.io/is-default-class",
];

export const storageClassKind: BuiltInKind<StorageClass> = {
  ...kindNames("storage.k8s.io", "StorageClass", "storageclasses"),
  namespaced: false,
  shortNames: ["sc"],
  defaults(storageClass) {
    storageClass.reclaimPolicy ??= "Delete";
    storageClass.volumeBindingMode ??= "Immediate";
  },
  validate: (storageClass) => validateStorageClass(storageClass),
  validateUpdate: (storageClass, old) => validateChange(storageClass, old),
  warnings: ({ allowedTopologies = [] }) => topologyWarnings(allowedTopologies),
  columns: [
    { ...nameColumn, value: (object) => shownName(object as StorageClass) },
    column("Provisioner", "string", ({ provisioner }: StorageClass) => provisioner ?? ""),
    column("ReclaimPolicy", "string", ({ reclaimPolicy }: StorageClass) => {
      return reclaimPolicy ?? "Delete";
    }),
    column("VolumeBindingMode", "string", ({ volumeBindingMode }: StorageClass) => {
      return volumeBindingMode ?? "Immediate";
    }),
    column("AllowVolumeExpansion", "string", ({ allowVolumeExpansion }: StorageClass) => {
      return allowVolumeExpansion ?? false;
    }),
    ageColumn,
  ],
};

function shownName({ metadata }: StorageClass): string {
  const isDefault = defaultAnnotations.some((key) => metadata?.annotations?.[key] === "true");
  return `${metadata?.name ?? ""}${isDefault ? " (default)" : ""}`;
}

const provisioner = required<string>((name, field) => {
  field.invalidEach(name.toLowerCase(), validateQualifiedName(name.toLowerCase()));
});

function parameters(own: Readonly<Record<string, string>> = {}, field: Field): void {
  const entries = Object.entries(own);
  let bytes = 0;
  for (const [key, value] of entries) bytes += Buffer.byteLength(key) + Buffer.byteLength(value);
  if (entries.length > maxParameters) field.tooLong(maxParameters);
  if (entries.length > maxParameters) return;
  if ("" in own) field.invalid("", "field can not be empty.");
  if (bytes > maxParametersBytes) field.tooLong(maxParametersBytes);
}

/** Go: ValidateStorageClass. */
const storageClass: Rules<StorageClass> = {
  provisioner,
  parameters,
  reclaimPolicy: unlessEmpty(oneOf("Delete", "Retain")),
  volumeBindingMode: oneOf("Immediate", "WaitForFirstConsumer"),
  allowedTopologies,
};

/** Fields that may not change, in other words than those of other kinds. */
const fixed: Rule<unknown> = (value, field) => {
  if (isSameValue(value, field.old)) return;
  field.forbidden(`updates to ${field.name} are forbidden.`);
};

const validateStorageClass = validator<StorageClass>(storageClass);
const validateChange = validator<StorageClass>([
  storageClass,
  { parameters: fixed, provisioner: fixed, reclaimPolicy: fixed, volumeBindingMode: immutable },
]);
