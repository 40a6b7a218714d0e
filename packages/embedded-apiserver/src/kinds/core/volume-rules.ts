import type {
  CSIPersistentVolumeSource,
  LocalVolumeSource,
  PersistentVolume,
  PersistentVolumeSpec,
  SecretReference,
} from "@rookery/api";
import {
  FieldError,
  type FieldPath,
  fieldPath,
  validateDns1123Label,
  validateDns1123Subdomain,
} from "@rookery/kube";
import {
  invalidEach,
  isSameValue,
  validateImmutable,
  validateSupported,
} from "../meta/field-rules.ts";
import { validatePositiveQuantity } from "../meta/quantities.ts";
import { validateNodeSelector } from "../pod-spec/affinity.ts";
import { validateAccessModes, validateClassName, volumeModes } from "../pod-spec/claim-spec.ts";
import { validateLegacySource } from "../pod-spec/legacy-sources.ts";
import { validateNoBacksteps } from "../pod-spec/paths.ts";
import { validateCsiDriver, validateHostPath, validateNfs } from "../pod-spec/volume-sources.ts";
import { validateBasic } from "./claim-rules.ts";
import { goDiff } from "./go-diff.ts";
import { type SourceName, sourceOf, sourcesOf } from "./volume-source.ts";

const path = fieldPath("spec");
const mountAnnotation = "volume.beta.kubernetes.io/mount-options";

/** Go: ValidatePersistentVolume, without the metadata. */
export function validateVolume(volume: PersistentVolume): FieldError[] {
  return [...validateSpec(volume.spec ?? {}), ...validateMountOptions(volume)];
}

/** Both functions of Kubernetes judge the spec. */
export function validateVolumeUpdate(
  volume: PersistentVolume,
  old: PersistentVolume,
): FieldError[] {
  const [spec, before] = [volume.spec ?? {}, old.spec ?? {}];
  const { volumeAttributesClassName: own } = spec;
  const isDropped = before.volumeAttributesClassName !== undefined && own === undefined;
  const dropped = "update from non-nil value to nil is forbidden";
  return [
    ...validateVolume(volume),
    ...validateSpec(spec),
    ...validateSourceChange(spec, before),
    ...validateImmutable(spec.volumeMode, before.volumeMode, fieldPath("volumeMode")),
    ...validateAffinityChange(spec, before),
    ...(isDropped ? [FieldError.forbidden(path.child("volumeAttributesClassName"), dropped)] : []),
  ];
}

function validateSourceChange(spec: PersistentVolumeSpec, old: PersistentVolumeSpec): FieldError[] {
  const [source, before] = [sourceOf(spec), sourceOf(old)];
  const hadNone = old.csi !== undefined && old.csi.controllerExpandSecretRef === undefined;
  if (hadNone && source.csi !== undefined) {
    const { controllerExpandSecretRef: _, ...csi } = source.csi;
    source.csi = csi;
  }
  if (isSameValue(source, before)) return [];
  const diff = goDiff("PersistentVolumeSource", before, source);
  const detail = `spec.persistentvolumesource is immutable after creation\n${diff}`;
  return [FieldError.forbidden(path.child("persistentvolumesource"), detail)];
}

function validateAffinityChange(
  { nodeAffinity }: PersistentVolumeSpec,
  { nodeAffinity: old }: PersistentVolumeSpec,
): FieldError[] {
  if (old === undefined || isSameValue(nodeAffinity, old)) return [];
  const detail = "field is immutable, except for updating from beta label to GA";
  return [FieldError.invalid(fieldPath("nodeAffinity"), nodeAffinity ?? null, detail)];
}

function validateMountOptions({ metadata, spec = {} }: PersistentVolume): FieldError[] {
  const supporting = ["nfs", "iscsi", "cinder", "rbd", "glusterfs", "azureFile", "azureDisk"];
  const isSupported = sourcesOf(spec).some((name) => supporting.includes(name));
  if (isSupported || metadata?.annotations?.[mountAnnotation] === undefined) return [];
  const detail = "may not specify mount options for this volume type";
  return [FieldError.forbidden(fieldPath("metadata", "annotations", mountAnnotation), detail)];
}

function validateSpec(spec: PersistentVolumeSpec): FieldError[] {
  const { accessModes = [], persistentVolumeReclaimPolicy: policy = "", volumeMode } = spec;
  const policies = ["Delete", "Recycle", "Retain"];
  return [
    ...(accessModes.length === 0 ? [FieldError.required(path.child("accessModes"), "")] : []),
    ...validateAccessModes(accessModes, path.child("accessModes")),
    ...validateCapacity(spec),
    ...(policy === ""
      ? []
      : validateSupported(policy, policies, path.child("persistentVolumeReclaimPolicy"))),
    ...validateAffinity(spec),
    ...validateSource(spec),
    ...validateRecycling(spec),
    ...validateClassName(spec.storageClassName ?? "", path.child("storageClassName")),
    ...(volumeMode === undefined
      ? []
      : validateSupported(volumeMode, volumeModes, path.child("volumeMode"))),
    ...validateAttributesClass(spec),
  ];
}

function validateCapacity({ capacity = {} }: PersistentVolumeSpec): FieldError[] {
  const at = path.child("capacity");
  const names = Object.keys(capacity);
  const isStorage = names.length === 1 && names[0] === "storage";
  return [
    ...(names.length === 0 ? [FieldError.required(at, "")] : []),
    ...(isStorage
      ? []
      : [FieldError.notSupported(at, names.length ? capacity : null, ["storage"])]),
    ...Object.entries(capacity).flatMap(([name, value]) => [
      ...validateBasic(value, at.key(name)),
      ...validatePositiveQuantity(value, at.key(name)),
    ]),
  ];
}

function validateAffinity({ nodeAffinity }: PersistentVolumeSpec): FieldError[] {
  if (nodeAffinity === undefined) return [];
  const at = path.child("nodeAffinity", "required");
  if (nodeAffinity.required !== undefined) return validateNodeSelector(nodeAffinity.required, at);
  return [FieldError.required(at, "must specify required node constraints")];
}

function validateSource(spec: PersistentVolumeSpec): FieldError[] {
  const [first, ...others] = sourcesOf(spec);
  if (first === undefined) return [FieldError.required(path, "must specify a volume type")];
  const detail = "may not specify more than 1 volume type";
  return [
    ...validateNamedSource(spec, first),
    ...others.flatMap((name) => {
      // Kubernetes does not count this one.
      if (name === "flexVolume") return validateNamedSource(spec, name);
      return [FieldError.forbidden(path.child(name === "cephfs" ? "cephFS" : name), detail)];
    }),
  ];
}

function validateNamedSource(spec: PersistentVolumeSpec, name: SourceName): FieldError[] {
  const at = path.child(name === "gcePersistentDisk" ? "persistentDisk" : name);
  if (name === "hostPath") return validateHostPath(spec.hostPath ?? {}, at);
  if (name === "nfs") return validateNfs(spec.nfs ?? {}, at);
  if (name === "csi") return validateCsi(spec.csi ?? {}, at);
  if (name === "local") return validateLocal(spec.local ?? {}, spec, at);
  return [
    ...validateLegacySource(name, spec[name] ?? {}, at),
    ...validateNamespaces(spec, name, at),
  ];
}

/** A volume has no namespace of its own, and has to name those of others. */
function validateNamespaces(
  spec: PersistentVolumeSpec,
  name: SourceName,
  at: FieldPath,
): FieldError[] {
  const secret = name === "cinder" || name === "storageos" ? spec[name]?.secretRef : undefined;
  if (secret !== undefined && !secret.namespace) {
    return [FieldError.required(at.child("secretRef", "namespace"), "")];
  }
  if (name === "azureFile" && spec.azureFile?.secretNamespace === "") {
    return [FieldError.required(at.child("secretNamespace"), "")];
  }
  const namespace = name === "glusterfs" ? spec.glusterfs?.endpointsNamespace : undefined;
  if (namespace === undefined) return [];
  const missing = "if the endpointnamespace is set, it must be a valid namespace name";
  const problems = namespace === "" ? [missing] : validateDns1123Label(namespace);
  return invalidEach(namespace, problems, at.child("endpointsNamespace"));
}

function validateLocal(
  { path: target = "" }: LocalVolumeSource,
  { nodeAffinity }: PersistentVolumeSpec,
  at: FieldPath,
): FieldError[] {
  const missing = FieldError.required(
    path.child("nodeAffinity"),
    "Local volume requires node affinity",
  );
  return [
    ...(target === ""
      ? [FieldError.required(at.child("path"), "")]
      : validateNoBacksteps(target, at.child("path"))),
    ...(nodeAffinity === undefined ? [missing] : []),
  ];
}

function validateCsi(source: CSIPersistentVolumeSource, at: FieldPath): FieldError[] {
  const { driver = "", volumeHandle = "" } = source;
  const references = [
    "controllerPublishSecretRef",
    "controllerExpandSecretRef",
    "nodePublishSecretRef",
    "nodeExpandSecretRef",
  ] as const;
  return [
    ...validateCsiDriver(driver, at.child("driver")),
    ...(volumeHandle === "" ? [FieldError.required(at.child("volumeHandle"), "")] : []),
    ...references.flatMap((field) => {
      const reference = source[field];
      return reference === undefined ? [] : validateSecretRef(reference, at.child(field));
    }),
  ];
}

function validateSecretRef(
  { name = "", namespace = "" }: SecretReference,
  at: FieldPath,
): FieldError[] {
  return [
    ...(name === ""
      ? [FieldError.required(at.child("name"), "")]
      : invalidEach(name, validateDns1123Subdomain(name), at.child("name"))),
    ...(namespace === ""
      ? [FieldError.required(at.child("namespace"), "")]
      : invalidEach(namespace, validateDns1123Label(namespace), at.child("namespace"))),
  ];
}

function validateRecycling(spec: PersistentVolumeSpec): FieldError[] {
  const target = spec.hostPath?.path;
  const isRoot = target !== undefined && /^\/+\.?\/*$/.test(target);
  if (!isRoot || spec.persistentVolumeReclaimPolicy !== "Recycle") return [];
  const detail = "may not be 'recycle' for a hostPath mount of '/'";
  return [FieldError.forbidden(path.child("persistentVolumeReclaimPolicy"), detail)];
}

function validateAttributesClass(spec: PersistentVolumeSpec): FieldError[] {
  const { volumeAttributesClassName: name, csi } = spec;
  if (name === undefined) return [];
  const at = path.child("volumeAttributesClassName");
  const without = "has to be specified when using volumeAttributesClassName";
  return [
    ...(name === ""
      ? [FieldError.required(at, "an empty string is disallowed")]
      : validateClassName(name, at)),
    ...(csi === undefined ? [FieldError.required(path.child("csi"), without)] : []),
  ];
}
