import { FieldError, type FieldPath, validateDns1123Label } from "@rookery/kube";
import { invalidEach, validateSupported } from "../meta/field-rules.ts";
import { rangeProblem } from "../meta/formats.ts";
import { validateDescendingPath } from "./paths.ts";

/** Any source, by the names of its fields: rules ask for those that they know. */
type Source = Readonly<Record<string, unknown>>;
type Rule = (source: Source, path: FieldPath) => FieldError[];

/** What sources of old must say. */
const requiredFields: Readonly<Record<string, readonly string[]>> = {
  gitRepo: ["repository"],
  gcePersistentDisk: ["pdName"],
  awsElasticBlockStore: ["volumeID"],
  glusterfs: ["endpoints", "path"],
  persistentVolumeClaim: ["claimName"],
  rbd: ["monitors", "image"],
  cinder: ["volumeID"],
  cephfs: ["monitors"],
  flexVolume: ["driver"],
  azureFile: ["secretName", "shareName"],
  vsphereVolume: ["volumePath"],
  photonPersistentDisk: ["pdID"],
  portworxVolume: ["volumeID"],
  azureDisk: ["diskName", "diskURI"],
  scaleIO: ["gateway", "system", "volumeName"],
};

/** What else is looked at. */
const rules: Readonly<Record<string, Rule>> = {
  gitRepo: (source, path) =>
    validateDescendingPath(text(source, "directory"), path.child("directory")),
  gcePersistentDisk: validatePartition,
  awsElasticBlockStore: validatePartition,
  iscsi: validateIscsi,
  flocker: validateFlocker,
  cinder: validateSecretName,
  quobyte: validateQuobyte,
  fc: validateFc,
  flexVolume: validateFlexOptions,
  azureDisk: validateAzureDisk,
  storageos: validateStorageOs,
};

/** The problems of a source that Kubernetes has had for long, of a pod or of a volume. */
export function validateLegacySource(name: string, source: object, path: FieldPath): FieldError[] {
  const fields = requiredFields[name] ?? [];
  return [
    ...validateRequired(source, fields, path),
    ...(rules[name]?.(source as Source, path) ?? []),
  ];
}

/** Fields that may be neither missing nor empty. */
export function validateRequired(
  source: object,
  fields: readonly string[],
  path: FieldPath,
): FieldError[] {
  const values = new Map<string, unknown>(Object.entries(source));
  return fields
    .filter((field) => isEmpty(values.get(field)))
    .map((field) => FieldError.required(path.child(field), ""));
}

function isEmpty(value: unknown): boolean {
  return value == null || value === "" || (Array.isArray(value) && value.length === 0);
}

function text(source: Source, field: string): string {
  const value = source[field];
  return typeof value === "string" ? value : "";
}

function validatePartition({ partition }: Source, path: FieldPath): FieldError[] {
  const number = typeof partition === "number" ? partition : 0;
  if (number >= 0 && number <= 255) return [];
  return [FieldError.invalid(path.child("partition"), number, rangeProblem(1, 255))];
}

function validateLun(lun: unknown, path: FieldPath): FieldError[] {
  const number = typeof lun === "number" ? lun : 0;
  if (number >= 0 && number <= 255) return [];
  return [FieldError.invalid(path.child("lun"), number, rangeProblem(0, 255))];
}

function validateIscsi(source: Source, path: FieldPath): FieldError[] {
  const iqn = text(source, "iqn");
  const initiator = source.initiatorName;
  const needsSecret = source.chapAuthDiscovery === true || source.chapAuthSession === true;
  return [
    ...validateRequired(source, ["targetPortal", "iqn"], path),
    ...(iqn === "" ? [] : validateIqn(iqn, path.child("iqn"))),
    ...validateLun(source.lun, path),
    ...(needsSecret && source.secretRef === undefined
      ? [FieldError.required(path.child("secretRef"), "")]
      : []),
    ...(typeof initiator === "string" ? validateIqn(initiator, path.child("initiatorname")) : []),
  ];
}

const iqnFormats: Readonly<Record<string, RegExp>> = {
  iqn: /iqn\.\d{4}-\d{2}\.([A-Za-z0-9\-.]+)(:[^,;*&$|\s]+)$/,
  eui: /^eui.[A-Za-z0-9]{16}$/,
  naa: /^naa.[A-Za-z0-9]{32}$/,
};

function validateIqn(name: string, path: FieldPath): FieldError[] {
  const format = iqnFormats[name.slice(0, 3)];
  if (format === undefined) {
    const detail = "must be valid format starting with iqn, eui, or naa";
    return [FieldError.invalid(path, name, detail)];
  }
  return format.test(name) ? [] : [FieldError.invalid(path, name, "must be valid format")];
}

function validateFlocker(source: Source, path: FieldPath): FieldError[] {
  const [name, uuid] = [text(source, "datasetName"), text(source, "datasetUUID")];
  const none = "one of datasetName and datasetUUID is required";
  const both = "datasetName and datasetUUID can not be specified simultaneously";
  return [
    ...(name === "" && uuid === "" ? [FieldError.required(path, none)] : []),
    ...(name !== "" && uuid !== "" ? [FieldError.invalid(path, "resource", both)] : []),
    ...(name.includes("/")
      ? [FieldError.invalid(path.child("datasetName"), name, "must not contain '/'")]
      : []),
  ];
}

function validateSecretName({ secretRef }: Source, path: FieldPath): FieldError[] {
  if (secretRef === undefined) return [];
  return validateRequired(secretRef as object, ["name"], path.child("secretRef"));
}

function validateQuobyte(source: Source, path: FieldPath): FieldError[] {
  const registry = text(source, "registry");
  const at = path.child("registry");
  const pairs = "must be a host:port pair or multiple pairs separated by commas";
  const bad = registry.split(",").filter((pair) => !/^(?:[^:]*|\[[^\]]*\]):[^:]*$/.test(pair));
  const uuid = "must be a UUID and may not exceed a length of 64 characters";
  const problems =
    registry === ""
      ? [FieldError.required(at, pairs)]
      : text(source, "tenant").length >= 65
        ? [FieldError.required(path.child("tenant"), uuid)]
        : bad.map(() => FieldError.invalid(at, registry, pairs));
  return [...problems, ...validateRequired(source, ["volume"], path)];
}

function validateFc(source: Source, path: FieldPath): FieldError[] {
  const at = path.child("targetWWNs");
  const [names, ids] = [source.targetWWNs, source.wwids].map((list) => !isEmpty(list));
  const none = "must specify either targetWWNs or wwids, but not both";
  const both = "targetWWNs and wwids can not be specified simultaneously";
  const lun = FieldError.required(path.child("lun"), "lun is required if targetWWNs is specified");
  return [
    ...(names || ids ? [] : [FieldError.required(at, none)]),
    ...(names && ids ? [FieldError.invalid(at, source.targetWWNs, both)] : []),
    ...(names ? (source.lun === undefined ? [lun] : validateLun(source.lun, path)) : []),
  ];
}

function validateFlexOptions({ options = {} }: Source, path: FieldPath): FieldError[] {
  return Object.keys(options as object).flatMap((key) => {
    const [domain = ""] = key.split("/");
    if (!/(^|\.)(kubernetes|k8s)\.io$/.test(domain.toLowerCase())) return [];
    const detail = "kubernetes.io and k8s.io namespaces are reserved";
    return [FieldError.invalid(path.child("options").key(key), key, detail)];
  });
}

function validateAzureDisk(source: Source, path: FieldPath): FieldError[] {
  const { cachingMode, kind } = source;
  const uri = text(source, "diskURI");
  const [prefix, example] =
    kind === "Managed"
      ? [
          "/subscriptions/",
          "/subscriptions/{sub-id}/resourcegroups/{group-name}/providers/microsoft.compute/disks/{disk-id}",
        ]
      : [
          "https://",
          "https://{account-name}.blob.core.windows.net/{container-name}/{disk-name}.vhd",
        ];
  const isForeign = kind !== undefined && !uri.startsWith(prefix);
  return [
    ...(typeof cachingMode === "string"
      ? validateSupported(cachingMode, ["None", "ReadOnly", "ReadWrite"], path.child("cachingMode"))
      : []),
    ...(typeof kind === "string"
      ? validateSupported(kind, ["Dedicated", "Managed", "Shared"], path.child("kind"))
      : []),
    ...(isForeign ? [FieldError.notSupported(path.child("diskURI"), uri, [example])] : []),
  ];
}

function validateStorageOs(source: Source, path: FieldPath): FieldError[] {
  const [name, namespace] = [text(source, "volumeName"), text(source, "volumeNamespace")];
  return [
    ...(name === ""
      ? [FieldError.required(path.child("volumeName"), "")]
      : invalidEach(name, validateDns1123Label(name), path.child("volumeName"))),
    ...(namespace === ""
      ? []
      : invalidEach(namespace, validateDns1123Label(namespace), path.child("volumeNamespace"))),
    ...validateSecretName(source, path),
  ];
}
