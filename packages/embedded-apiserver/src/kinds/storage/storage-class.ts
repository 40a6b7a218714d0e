import type { StorageClass } from "@rookery/api";
import { FieldError, fieldPath } from "@rookery/kube";
import type { BuiltInKind } from "../declaration/kind.ts";
import { ageColumn, column, nameColumn } from "../meta/columns.ts";
import {
  isSameValue,
  validateImmutable,
  validateLabelName,
  validateSupported,
} from "../meta/field-rules.ts";
import { topologyWarnings, validateAllowedTopologies } from "./allowed-topologies.ts";

const maxParameters = 512;
const maxParametersBytes = 256 * 1024;
const defaultAnnotations = [
  "storageclass.kubernetes.io/is-default-class",
  "storageclass.beta.kubernetes.io/is-default-class",
];

export const storageClassKind: BuiltInKind<StorageClass> = {
  group: "storage.k8s.io",
  version: "v1",
  kind: "StorageClass",
  plural: "storageclasses",
  singular: "storageclass",
  namespaced: false,
  shortNames: ["sc"],
  goType: "k8s.io/api/storage/v1.StorageClass",
  model: "io.k8s.api.storage.v1.StorageClass",
  defaults(storageClass) {
    storageClass.reclaimPolicy ??= "Delete";
    storageClass.volumeBindingMode ??= "Immediate";
  },
  validate: validateStorageClass,
  validateUpdate: (storageClass, old) => [
    ...validateStorageClass(storageClass),
    ...validateChange(storageClass, old),
  ],
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

function validateStorageClass(storageClass: StorageClass): FieldError[] {
  const { provisioner = "", reclaimPolicy = "", volumeBindingMode = "" } = storageClass;
  const modes = ["Immediate", "WaitForFirstConsumer"];
  return [
    ...validateProvisioner(provisioner),
    ...validateParameters(storageClass.parameters ?? {}),
    ...(reclaimPolicy === ""
      ? []
      : validateSupported(reclaimPolicy, ["Delete", "Retain"], fieldPath("reclaimPolicy"))),
    ...validateSupported(volumeBindingMode, modes, fieldPath("volumeBindingMode")),
    ...validateAllowedTopologies(storageClass.allowedTopologies ?? []),
  ];
}

function validateProvisioner(provisioner: string): FieldError[] {
  const path = fieldPath("provisioner");
  if (provisioner === "") return [FieldError.required(path, "")];
  return validateLabelName(provisioner.toLowerCase(), path);
}

function validateParameters(parameters: Readonly<Record<string, string>>): FieldError[] {
  const path = fieldPath("parameters");
  const entries = Object.entries(parameters);
  if (entries.length > maxParameters) return [FieldError.tooLong(path, maxParameters)];
  const bytes = entries.reduce(
    (sum, [key, value]) => sum + Buffer.byteLength(key) + Buffer.byteLength(value),
    0,
  );
  return [
    ...("" in parameters ? [FieldError.invalid(path, "", "field can not be empty.")] : []),
    ...(bytes > maxParametersBytes ? [FieldError.tooLong(path, maxParametersBytes)] : []),
  ];
}

function validateChange(storageClass: StorageClass, old: StorageClass): FieldError[] {
  const fixed = ["parameters", "provisioner", "reclaimPolicy"] as const;
  const { volumeBindingMode: mode } = storageClass;
  return [
    ...fixed
      .filter((field) => !isSameValue(storageClass[field], old[field]))
      .map((field) => FieldError.forbidden(fieldPath(field), `updates to ${field} are forbidden.`)),
    ...validateImmutable(mode, old.volumeBindingMode, fieldPath("volumeBindingMode")),
  ];
}
