import type { PersistentVolume } from "@rookery/api";
import { formatTime, storageClassOf } from "@rookery/kube";
import { type BuiltInKind, type KindContext, keepSpec, kindNames } from "../declaration/kind.ts";
import { ageColumn, columns, nameColumn, wideColumns } from "../meta/columns.ts";
import { each } from "../meta/combinators.ts";
import { deprecatedAnnotations, namedNodeLabel } from "../meta/deprecations.ts";
import { quantity, roundUpResources } from "../meta/quantities.ts";
import { warner } from "../meta/rules.ts";
import { formatAccessModes } from "../pod-spec/claim-spec.ts";
import { validateVolume, validateVolumeUpdate } from "./volume-rules.ts";

function volumeDefaults(volume: PersistentVolume): void {
  volume.spec ??= {};
  volume.status ??= {};
  volume.status.phase ||= "Pending";
  volume.spec.persistentVolumeReclaimPolicy ||= "Retain";
  volume.spec.volumeMode ??= "Filesystem";
  roundUpResources(volume.spec.capacity);
  if (volume.spec.hostPath !== undefined) volume.spec.hostPath.type ??= "";
}

const warnings = warner<PersistentVolume>([
  {
    metadata: {
      annotations: deprecatedAnnotations({
        "volume.beta.kubernetes.io/storage-class":
          'deprecated since v1.8; use "storageClassName" attribute instead',
        "volume.beta.kubernetes.io/mount-options":
          'deprecated since v1.31; use "mountOptions" attribute instead',
      }),
    },
  },
  {
    spec: {
      persistentVolumeReclaimPolicy: (policy, field) => {
        if (policy !== "Recycle") return;
        field.warn(
          "The Recycle reclaim policy is deprecated. Instead, the recommended approach is to use dynamic provisioning.",
        );
      },
      nodeAffinity: {
        required: {
          nodeSelectorTerms: each({ matchExpressions: each({ key: namedNodeLabel }) }),
        },
      },
    },
  },
]);

/** The status contains the time of the last phase transition. */
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
    warnings,
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
    columns: [
      nameColumn,
      ...columns<PersistentVolume>({
        Capacity: ({ spec }) => String(quantity(spec?.capacity?.storage ?? "0")),
        "Access Modes": ({ spec }) => formatAccessModes(spec?.accessModes ?? []),
        "Reclaim Policy": ({ spec }) => spec?.persistentVolumeReclaimPolicy ?? "",
        Status: ({ metadata, status }) =>
          metadata?.deletionTimestamp === undefined ? (status?.phase ?? "") : "Terminating",
        Claim: ({ spec }) => {
          const { namespace = "", name = "" } = spec?.claimRef ?? {};
          return spec?.claimRef === undefined ? "" : `${namespace}/${name}`;
        },
        StorageClass: storageClassOf,
        VolumeAttributesClass: ({ spec }) => spec?.volumeAttributesClassName ?? "<unset>",
        Reason: ({ status }) => status?.reason ?? "",
      }),
      ageColumn,
      ...wideColumns<PersistentVolume>({
        VolumeMode: ({ spec }) => spec?.volumeMode ?? "<unset>",
      }),
    ],
  };
}
