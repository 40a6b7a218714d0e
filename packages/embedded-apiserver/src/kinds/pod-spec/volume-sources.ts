import type {
  ConfigMapVolumeSource,
  CSIVolumeSource,
  DownwardAPIVolumeSource,
  EmptyDirVolumeSource,
  EphemeralVolumeSource,
  HostPathVolumeSource,
  NFSVolumeSource,
  SecretVolumeSource,
  Volume,
} from "@rookery/api";
import { FieldError, type FieldPath, validateDns1123Subdomain } from "@rookery/kube";
import { invalidEach, validateSupported } from "../meta/field-rules.ts";
import { quantity } from "../meta/quantities.ts";
import { validateClaimTemplate } from "./claim-spec.ts";
import { validateDownwardFile } from "./downward-api.ts";
import { validateLegacySource, validateRequired } from "./legacy-sources.ts";
import { validateFileMode, validateNoBacksteps } from "./paths.ts";
import { validateKeyToPath, validateProjected } from "./projected-volume.ts";

type SourceName = Exclude<keyof Volume, "name">;

const hostPathTypes = [
  "",
  "BlockDevice",
  "CharDevice",
  "Directory",
  "DirectoryOrCreate",
  "File",
  "FileOrCreate",
  "Socket",
];

/** In the order in which Kubernetes looks at them. */
const sourceNames: readonly SourceName[] = [
  "emptyDir",
  "hostPath",
  "gitRepo",
  "gcePersistentDisk",
  "awsElasticBlockStore",
  "secret",
  "nfs",
  "iscsi",
  "glusterfs",
  "flocker",
  "persistentVolumeClaim",
  "rbd",
  "cinder",
  "cephfs",
  "quobyte",
  "downwardAPI",
  "fc",
  "flexVolume",
  "configMap",
  "azureFile",
  "vsphereVolume",
  "photonPersistentDisk",
  "portworxVolume",
  "azureDisk",
  "storageos",
  "projected",
  "scaleIO",
  "csi",
  "ephemeral",
  "image",
];

/** That a volume has one source, and what is wrong with it. */
export function validateVolumeSource(volume: Volume, path: FieldPath): FieldError[] {
  const [first, ...others] = sourceNames.filter((name) => volume[name] !== undefined);
  if (first === undefined) return [FieldError.required(path, "must specify a volume type")];
  const detail = "may not specify more than 1 volume type";
  return [
    ...validateNamedSource(volume, first, path.child(pathName(first))),
    ...others.map((name) => FieldError.forbidden(path.child(surplusNames[name] ?? name), detail)),
  ];
}

/** Kubernetes says another name for this one. */
function pathName(name: SourceName): string {
  return name === "gcePersistentDisk" ? "persistentDisk" : name;
}

/** And for these, where they are too many. */
const surplusNames: Readonly<Partial<Record<SourceName, string>>> = {
  cephfs: "cephFS",
  downwardAPI: "downwarAPI",
};

function validateNamedSource(volume: Volume, name: SourceName, path: FieldPath): FieldError[] {
  switch (name) {
    case "emptyDir":
      return validateEmptyDir(volume.emptyDir ?? {}, path);
    case "hostPath":
      return validateHostPath(volume.hostPath ?? {}, path);
    case "nfs":
      return validateNfs(volume.nfs ?? {}, path);
    case "secret":
      return validateSecretVolume(volume.secret ?? {}, path);
    case "configMap":
      return validateConfigMapVolume(volume.configMap ?? {}, path);
    case "downwardAPI":
      return validateDownwardApiVolume(volume.downwardAPI ?? {}, path);
    case "projected":
      return validateProjected(volume.projected ?? {}, path);
    case "csi":
      return validateCsiVolume(volume.csi ?? {}, path);
    case "ephemeral":
      return validateEphemeral(volume.ephemeral ?? {}, path);
    default:
      return validateLegacySource(name, volume[name] ?? {}, path);
  }
}

function validateEmptyDir({ sizeLimit }: EmptyDirVolumeSource, path: FieldPath): FieldError[] {
  if (sizeLimit === undefined || quantity(sizeLimit).sign >= 0) return [];
  const detail = "SizeLimit field must be a valid resource quantity";
  return [FieldError.forbidden(path.child("sizeLimit"), detail)];
}

export function validateHostPath(source: HostPathVolumeSource, path: FieldPath): FieldError[] {
  const { path: target = "", type = "" } = source;
  if (target === "") return [FieldError.required(path.child("path"), "")];
  return [
    ...validateNoBacksteps(target, path.child("path")),
    ...validateSupported(type, hostPathTypes, path.child("type")),
  ];
}

export function validateNfs(source: NFSVolumeSource, path: FieldPath): FieldError[] {
  const { path: target = "" } = source;
  const detail = "must be an absolute path";
  return [
    ...validateRequired(source, ["server", "path"], path),
    ...(target.startsWith("/") ? [] : [FieldError.invalid(path.child("path"), target, detail)]),
  ];
}

function validateSecretVolume(source: SecretVolumeSource, path: FieldPath): FieldError[] {
  const { defaultMode, items = [] } = source;
  return [
    ...validateRequired(source, ["secretName"], path),
    ...validateFileMode(defaultMode, path.child("defaultMode")),
    ...items.flatMap((item, i) => validateKeyToPath(item, path.child("items").index(i))),
  ];
}

function validateConfigMapVolume(source: ConfigMapVolumeSource, path: FieldPath): FieldError[] {
  const { defaultMode, items = [] } = source;
  return [
    ...validateRequired(source, ["name"], path),
    ...validateFileMode(defaultMode, path.child("defaultMode")),
    ...items.flatMap((item, i) => validateKeyToPath(item, path.child("items").index(i))),
  ];
}

function validateDownwardApiVolume(source: DownwardAPIVolumeSource, path: FieldPath): FieldError[] {
  const { defaultMode, items = [] } = source;
  return [
    ...validateFileMode(defaultMode, path.child("defaultMode")),
    ...items.flatMap((file) => validateDownwardFile(file, path)),
  ];
}

function validateCsiVolume(source: CSIVolumeSource, path: FieldPath): FieldError[] {
  const { driver = "", nodePublishSecretRef: secret } = source;
  const problems = validateCsiDriver(driver, path.child("driver"));
  if (secret === undefined) return problems;
  const { name = "" } = secret;
  const at = path.child("nodePublishSecretRef", "name");
  if (name === "") return [...problems, FieldError.required(at, "")];
  return [...problems, ...invalidEach(name, validateDns1123Subdomain(name), path.child("name"))];
}

/** The name of a CSI driver, here and in a PersistentVolume. */
export function validateCsiDriver(name: string, path: FieldPath): FieldError[] {
  return [
    ...(name === "" ? [FieldError.required(path, "")] : []),
    ...(name.length > 63 ? [FieldError.tooLong(path, 63)] : []),
    ...invalidEach(name, validateDns1123Subdomain(name.toLowerCase()), path),
  ];
}

function validateEphemeral(
  { volumeClaimTemplate: template }: EphemeralVolumeSource,
  path: FieldPath,
): FieldError[] {
  const at = path.child("volumeClaimTemplate");
  return template === undefined
    ? [FieldError.required(at, "")]
    : validateClaimTemplate(template, at);
}
