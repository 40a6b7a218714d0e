import type { PersistentVolume } from "@rookery/api";
import { fieldPath, formatTime, storageClassOf } from "@rookery/kube";
import { type BuiltInKind, type KindContext, keepSpec, kindNames } from "../declaration/kind.ts";
import { ageColumn, column, nameColumn, wide } from "../meta/columns.ts";
import { deprecatedNodeLabel } from "../meta/node-labels.ts";
import { quantity, roundUpResources } from "../meta/quantities.ts";
import { formatAccessModes } from "../pod-spec/claim-spec.ts";
import { validateVolume, validateVolumeUpdate } from "./volume-rules.ts";

/** The status of a volume has the time of its last phase transition. */
export function persistentVolumeKind({ now }: KindContext): BuiltInKind<PersistentVolume> {
  return {
    ...kindNames("", "PersistentVolume", "persistentvolumes"),
    namespaced: false,
    shortNames: ["pv"],
    defaults: volumeDefaults,
    prepareForCreate(volume) {
      volume.status = { phase: "Pending", lastPhaseTransitionTime: formatTime(now()) };
    },
    validate: validateVolume,
    validateUpdate: validateVolumeUpdate,
    warnings: volumeWarnings,
    status: {
      prepareForUpdate(volume, old) {
        keepSpec(volume, old);
        const { phase, lastPhaseTransitionTime: time } = old.status ?? {};
        volume.status ??= {};
        const { lastPhaseTransitionTime: own } = volume.status;
        if (phase !== volume.status.phase && (own === undefined || own === time)) {
          volume.status.lastPhaseTransitionTime = formatTime(now());
        } else if (own === undefined && time !== undefined) {
          volume.status.lastPhaseTransitionTime = time;
        }
      },
    },
    columns,
  };
}

function volumeDefaults(volume: PersistentVolume): void {
  volume.spec ??= {};
  volume.status ??= {};
  volume.status.phase ||= "Pending";
  volume.spec.persistentVolumeReclaimPolicy ||= "Retain";
  volume.spec.volumeMode ??= "Filesystem";
  roundUpResources(volume.spec.capacity);
  if (volume.spec.hostPath !== undefined) volume.spec.hostPath.type ??= "";
}

const deprecatedAnnotations: Readonly<Record<string, string>> = {
  "volume.beta.kubernetes.io/storage-class":
    'deprecated since v1.8; use "storageClassName" attribute instead',
  "volume.beta.kubernetes.io/mount-options":
    'deprecated since v1.31; use "mountOptions" attribute instead',
};

function volumeWarnings({ metadata, spec = {} }: PersistentVolume): string[] {
  const annotations = metadata?.annotations ?? {};
  const at = fieldPath("metadata", "annotations");
  const terms = spec.nodeAffinity?.required?.nodeSelectorTerms ?? [];
  const termsPath = fieldPath("spec", "nodeAffinity", "required", "nodeSelectorTerms");
  return [
    ...Object.entries(deprecatedAnnotations)
      .filter(([key]) => annotations[key] !== undefined)
      .map(([key, message]) => `${at.key(key)}: ${message}`),
    ...(spec.persistentVolumeReclaimPolicy === "Recycle"
      ? [
          "spec.persistentVolumeReclaimPolicy: The Recycle reclaim policy is deprecated. Instead, the recommended approach is to use dynamic provisioning.",
        ]
      : []),
    ...terms.flatMap(({ matchExpressions = [] }, i) =>
      matchExpressions.flatMap(({ key = "" }, j) => {
        const message = deprecatedNodeLabel(key);
        const own = termsPath.index(i).child("matchExpressions").index(j).child("key");
        return message === undefined ? [] : [`${own}: ${key} is ${message}`];
      }),
    ),
  ];
}

const columns = [
  nameColumn,
  column("Capacity", "string", ({ spec }: PersistentVolume) =>
    String(quantity(spec?.capacity?.storage ?? "0")),
  ),
  column("Access Modes", "string", ({ spec }: PersistentVolume) =>
    formatAccessModes(spec?.accessModes ?? []),
  ),
  column(
    "Reclaim Policy",
    "string",
    ({ spec }: PersistentVolume) => spec?.persistentVolumeReclaimPolicy ?? "",
  ),
  column("Status", "string", ({ metadata, status }: PersistentVolume) =>
    metadata?.deletionTimestamp === undefined ? (status?.phase ?? "") : "Terminating",
  ),
  column("Claim", "string", ({ spec }: PersistentVolume) => {
    const { namespace = "", name = "" } = spec?.claimRef ?? {};
    return spec?.claimRef === undefined ? "" : `${namespace}/${name}`;
  }),
  column("StorageClass", "string", storageClassOf),
  column(
    "VolumeAttributesClass",
    "string",
    ({ spec }: PersistentVolume) => spec?.volumeAttributesClassName ?? "<unset>",
  ),
  column("Reason", "string", ({ status }: PersistentVolume) => status?.reason ?? ""),
  ageColumn,
  wide(
    column("VolumeMode", "string", ({ spec }: PersistentVolume) => spec?.volumeMode ?? "<unset>"),
  ),
];
