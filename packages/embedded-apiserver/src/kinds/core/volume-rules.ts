import type {
  CSIPersistentVolumeSource,
  PersistentVolume,
  PersistentVolumeSpec,
  SecretReference,
} from "@rookery/api";
import { dns1123Label, dns1123Subdomain, oneOf, requiredIf } from "../meta/checks.ts";
import {
  eachEntry,
  type Members,
  oneMember,
  optional,
  required,
  struct,
  unlessEmpty,
} from "../meta/combinators.ts";
import type { Field } from "../meta/field.ts";
import { immutableDetail, isSameValue } from "../meta/field-rules.ts";
import { type Amount, basicQuantity, positiveQuantity } from "../meta/quantities.ts";
import { type Rule, type Rules, validator } from "../meta/rules.ts";
import { nodeSelector } from "../pod-spec/affinity.ts";
import { accessModes, className, volumeMode } from "../pod-spec/claim-spec.ts";
import { legacySources } from "../pod-spec/legacy-sources.ts";
import { noBacksteps } from "../pod-spec/paths.ts";
import { csiDriver, hostPath, nfs } from "../pod-spec/volume-sources.ts";
import { goDiff } from "./unified-diff.ts";

const mountAnnotation = "volume.beta.kubernetes.io/mount-options";

/** References of a PersistentVolume need a namespace, because it has none itself. */
const namespaced = { namespace: required() };

const secretRef: Rules<SecretReference | undefined> = {
  name: required(dns1123Subdomain),
  namespace: required(dns1123Label),
};

/** Go: validateCSIPersistentVolumeSource. */
const csi: Rules<CSIPersistentVolumeSource> = {
  driver: csiDriver,
  volumeHandle: required(),
  controllerPublishSecretRef: secretRef,
  controllerExpandSecretRef: secretRef,
  nodePublishSecretRef: secretRef,
  nodeExpandSecretRef: secretRef,
};

const endpointsNamespace = optional<string>((namespace, field) => {
  const detail = "if the endpointnamespace is set, it must be a valid namespace name";
  if (namespace === "") field.invalid(namespace, detail);
  else dns1123Label(namespace, field);
});

/** In the order in which Kubernetes validates them. */
const sources = {
  hostPath,
  gcePersistentDisk: legacySources.gcePersistentDisk,
  awsElasticBlockStore: legacySources.awsElasticBlockStore,
  glusterfs: [legacySources.glusterfs, { endpointsNamespace }],
  flocker: [],
  nfs,
  rbd: legacySources.rbd,
  quobyte: [],
  cephfs: legacySources.cephfs,
  iscsi: legacySources.iscsi,
  cinder: [legacySources.cinder, { secretRef: namespaced }],
  fc: legacySources.fc,
  flexVolume: legacySources.flexVolume,
  azureFile: [legacySources.azureFile, { secretNamespace: optional(required()) }],
  vsphereVolume: legacySources.vsphereVolume,
  photonPersistentDisk: [],
  portworxVolume: legacySources.portworxVolume,
  azureDisk: legacySources.azureDisk,
  scaleIO: legacySources.scaleIO,
  local: [
    { path: required(noBacksteps) },
    (_local: object, field: Field<PersistentVolumeSpec>) => {
      if (field.scope.nodeAffinity !== undefined) return;
      field.parent.child("nodeAffinity").required("Local volume requires node affinity");
    },
  ],
  storageos: [],
  csi,
} satisfies Members<PersistentVolumeSpec, PersistentVolumeSpec>;
const sourceNames = Object.keys(sources) as (keyof typeof sources)[];

const source = oneMember<PersistentVolumeSpec, PersistentVolumeSpec>(sources, {
  none: "must specify a volume type",
  many: "may not specify more than 1 volume type",
  names: { gcePersistentDisk: "persistentDisk" },
  surplusNames: { cephfs: "cephFS" },
  uncounted: "flexVolume",
});

function sourceOf(spec: PersistentVolumeSpec): Pick<PersistentVolumeSpec, keyof typeof sources> {
  const isSet = (name: keyof typeof sources) => spec[name] !== undefined;
  return Object.fromEntries(sourceNames.filter(isSet).map((name) => [name, spec[name]]));
}

const capacity: Rule<Readonly<Record<string, Amount>> | undefined> = (amounts = {}, field) => {
  const names = Object.keys(amounts);
  if (names.length === 0) field.required();
  if (names.length !== 1 || names[0] !== "storage") {
    field.notSupported(names.length ? amounts : null, ["storage"]);
  }
  basicAmounts(amounts, field);
};

const basicAmounts = eachEntry<Amount>({ values: [basicQuantity, positiveQuantity] });

const spec: Rules<PersistentVolumeSpec> = [
  { accessModes: [required(), accessModes], capacity },
  { persistentVolumeReclaimPolicy: unlessEmpty(oneOf("Delete", "Recycle", "Retain")) },
  {
    nodeAffinity: optional({
      required: required(nodeSelector, "must specify required node constraints"),
    }),
  },
  (spec, field) => source(spec, field.withScope(spec)),
  recycledRoot,
  { storageClassName: className, volumeMode },
  {
    volumeAttributesClassName: optional(
      required(dns1123Subdomain, "an empty string is disallowed"),
    ),
  },
  requiredIf(
    "csi",
    ({ volumeAttributesClassName, csi }) => {
      return volumeAttributesClassName !== undefined && csi === undefined;
    },
    "has to be specified when using volumeAttributesClassName",
  ),
];

function recycledRoot(spec: PersistentVolumeSpec, field: Field): void {
  const isRoot = /^\/+\.?\/*$/.test(spec.hostPath?.path ?? "");
  if (!isRoot || spec.persistentVolumeReclaimPolicy !== "Recycle") return;
  const detail = "may not be 'recycle' for a hostPath mount of '/'";
  field.child("persistentVolumeReclaimPolicy").forbidden(detail);
}

function mountOptions({ metadata, spec = {} }: PersistentVolume, field: Field): void {
  const supporting = ["nfs", "iscsi", "cinder", "rbd", "glusterfs", "azureFile", "azureDisk"];
  const isSupported = Object.keys(sourceOf(spec)).some((name) => supporting.includes(name));
  if (isSupported || metadata?.annotations?.[mountAnnotation] === undefined) return;
  const detail = "may not specify mount options for this volume type";
  field.child("metadata", "annotations", mountAnnotation).forbidden(detail);
}

/** Go: ValidatePersistentVolume. */
const volume: Rules<PersistentVolume> = [{ spec: struct(spec) }, mountOptions];

/** Kubernetes reports these two fields without "spec". */
const fixedFields: Rule<PersistentVolume> = ({ spec = {} }, field) => {
  const { spec: old = {} } = field.old as PersistentVolume;
  sourceChange(spec, old, field.child("spec", "persistentvolumesource"));
  if (!isSameValue(spec.volumeMode, old.volumeMode)) {
    field.child("volumeMode").invalid(spec.volumeMode ?? null, immutableDetail);
  }
  if (old.nodeAffinity !== undefined && !isSameValue(spec.nodeAffinity, old.nodeAffinity)) {
    const detail = "field is immutable, except for updating from beta label to GA";
    field.child("nodeAffinity").invalid(spec.nodeAffinity ?? null, detail);
  }
};

function sourceChange(spec: PersistentVolumeSpec, old: PersistentVolumeSpec, field: Field): void {
  const [source, before] = [sourceOf(spec), sourceOf(old)];
  const hadNone = old.csi !== undefined && old.csi.controllerExpandSecretRef === undefined;
  if (hadNone && source.csi !== undefined) {
    const { controllerExpandSecretRef: _, ...csi } = source.csi;
    source.csi = csi;
  }
  if (isSameValue(source, before)) return;
  const diff = goDiff("PersistentVolumeSource", before, source);
  field.forbidden(`spec.persistentvolumesource is immutable after creation\n${diff}`);
}

const droppedClass: Rule<string | undefined> = (name, field) => {
  if (field.old === undefined || name !== undefined) return;
  field.forbidden("update from non-nil value to nil is forbidden");
};

export const validateVolume = validator(volume);

/** Go: ValidatePersistentVolumeUpdate. Both functions validate the spec. */
export const validateVolumeUpdate = validator<PersistentVolume>([
  volume,
  { spec: struct(spec) },
  fixedFields,
  { spec: struct({ volumeAttributesClassName: droppedClass }) },
]);
