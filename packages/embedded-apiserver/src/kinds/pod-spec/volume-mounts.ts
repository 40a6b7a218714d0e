import type { Container, Volume, VolumeDevice, VolumeMount } from "@rookery/api";
import { FieldError, type FieldPath } from "@rookery/kube";
import { validateSupported } from "../meta/field-rules.ts";
import { validateDescendingPath, validateNoBacksteps } from "./paths.ts";

type Volumes = ReadonlyMap<string, Volume>;

const propagations = ["Bidirectional", "HostToContainer", "None"];
const recursiveModes = ["Disabled", "Enabled", "IfPossible"];

/** The mounts of a container, which must be of volumes of the pod. */
export function validateVolumeMounts(
  container: Container,
  volumes: Volumes,
  path: FieldPath,
): FieldError[] {
  const { volumeMounts = [], volumeDevices = [] } = container;
  const taken = new Set<string>();
  return volumeMounts.flatMap((mount, i) => {
    const { mountPath = "" } = mount;
    const at = path.index(i);
    const repeated = taken.has(mountPath)
      ? [FieldError.invalid(at.child("mountPath"), mountPath, "must be unique")]
      : [];
    taken.add(mountPath);
    return [
      ...validateMountNames(mount, volumes, at),
      ...repeated,
      ...validateAgainstDevices(mount, volumeDevices, at),
      ...validateMountOptions(mount, container, { list: path, mount: at }),
    ];
  });
}

function validateMountNames(
  { name = "", mountPath = "" }: VolumeMount,
  volumes: Volumes,
  path: FieldPath,
): FieldError[] {
  return [
    ...(name === "" ? [FieldError.required(path.child("name"), "")] : []),
    ...(volumes.has(name) ? [] : [FieldError.notFound(path.child("name"), name)]),
    ...(mountPath === "" ? [FieldError.required(path.child("mountPath"), "")] : []),
  ];
}

function validateAgainstDevices(
  { name = "", mountPath = "" }: VolumeMount,
  devices: readonly VolumeDevice[],
  path: FieldPath,
): FieldError[] {
  // Of two with one name the last one counts.
  const paths = new Map(devices.map((each) => [each.name ?? "", each.devicePath ?? ""]));
  const named = "must not already exist in volumeDevices";
  const placed = "must not already exist as a path in volumeDevices";
  return [
    ...(paths.has(name) ? [FieldError.invalid(path.child("name"), name, named)] : []),
    ...([...paths.values()].includes(mountPath)
      ? [FieldError.invalid(path.child("mountPath"), mountPath, placed)]
      : []),
  ];
}

/** Kubernetes names the list where it means one of its mounts, but for one rule. */
function validateMountOptions(
  mount: VolumeMount,
  container: Container,
  paths: { readonly list: FieldPath; readonly mount: FieldPath },
): FieldError[] {
  const { subPath = "", subPathExpr = "" } = mount;
  const both = "subPathExpr and subPath are mutually exclusive";
  return [
    ...(subPath === "" ? [] : validateDescendingPath(subPath, paths.list.child("subPath"))),
    ...(subPath !== "" && subPathExpr !== ""
      ? [FieldError.invalid(paths.mount.child("subPathExpr"), subPathExpr, both)]
      : []),
    ...(subPathExpr === ""
      ? []
      : validateDescendingPath(subPathExpr, paths.list.child("subPathExpr"))),
    ...validatePropagation(mount, container, paths.list.child("mountPropagation")),
    ...validateRecursiveReadOnly(mount, paths.list.child("recursiveReadOnly")),
  ];
}

function validatePropagation(
  { mountPropagation: mode }: VolumeMount,
  { securityContext }: Container,
  path: FieldPath,
): FieldError[] {
  if (mode === undefined) return [];
  const problems = validateSupported(mode, propagations, path);
  if (mode !== "Bidirectional" || securityContext?.privileged === true) return problems;
  const detail = "Bidirectional mount propagation is available only to privileged containers";
  return [...problems, FieldError.forbidden(path, detail)];
}

function validateRecursiveReadOnly(mount: VolumeMount, path: FieldPath): FieldError[] {
  const { recursiveReadOnly: mode, readOnly = false, mountPropagation = "None" } = mount;
  if (mode === undefined || mode === "Disabled") return [];
  if (!recursiveModes.includes(mode)) return validateSupported(mode, recursiveModes, path);
  const propagated = "may only be specified when mountPropagation is None or not specified";
  return [
    ...(readOnly
      ? []
      : [FieldError.forbidden(path, "may only be specified when readOnly is true")]),
    ...(mountPropagation === "None" ? [] : [FieldError.forbidden(path, propagated)]),
  ];
}

/** The raw block devices of a container. */
export function validateVolumeDevices(
  { volumeMounts = [], volumeDevices = [] }: Container,
  volumes: Volumes,
  path: FieldPath,
): FieldError[] {
  const names = new Set<string>();
  const paths = new Set<string>();
  return volumeDevices.flatMap((device, i) => {
    const { name = "", devicePath = "" } = device;
    const problems = [
      ...validateDeviceName(device, { names, volumes }, path.index(i).child("name")),
      ...validateDevicePath(devicePath, paths, path.index(i).child("devicePath")),
      ...validateAgainstMounts(device, volumeMounts, path.index(i)),
    ];
    if (name !== "") names.add(name);
    return problems;
  });
}

function validateDeviceName(
  { name = "" }: VolumeDevice,
  { names, volumes }: { readonly names: ReadonlySet<string>; readonly volumes: Volumes },
  path: FieldPath,
): FieldError[] {
  const volume = volumes.get(name);
  const isBlock = volume?.persistentVolumeClaim !== undefined || volume?.ephemeral !== undefined;
  const detail =
    "can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode";
  return [
    ...(name === "" ? [FieldError.required(path, "")] : []),
    ...(names.has(name) ? [FieldError.invalid(path, name, "must be unique")] : []),
    ...(volume !== undefined && !isBlock ? [FieldError.invalid(path, name, detail)] : []),
    ...(volume === undefined ? [FieldError.notFound(path, name)] : []),
  ];
}

function validateDevicePath(value: string, taken: Set<string>, path: FieldPath): FieldError[] {
  const goesUp = value !== "" && validateNoBacksteps(value, path).length > 0;
  const problems = [
    ...(value === "" ? [FieldError.required(path, "")] : []),
    ...(taken.has(value) ? [FieldError.invalid(path, value, "must be unique")] : []),
    ...(goesUp ? [FieldError.invalid(path, value, "can not contain backsteps ('..')")] : []),
  ];
  if (!goesUp) taken.add(value);
  return problems;
}

function validateAgainstMounts(
  { name = "", devicePath = "" }: VolumeDevice,
  mounts: readonly VolumeMount[],
  path: FieldPath,
): FieldError[] {
  const paths = new Map(mounts.map((each) => [each.name ?? "", each.mountPath ?? ""]));
  const named = "must not already exist in volumeMounts";
  const placed = "must not already exist as a path in volumeMounts";
  return [
    ...(paths.has(name) ? [FieldError.invalid(path.child("name"), name, named)] : []),
    ...([...paths.values()].includes(devicePath)
      ? [FieldError.invalid(path.child("devicePath"), devicePath, placed)]
      : []),
  ];
}
