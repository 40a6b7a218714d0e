import type { Container, Volume, VolumeDevice, VolumeMount } from "@rookery/api";
import { oneOf } from "../meta/checks.ts";
import { required, unlessEmpty } from "../meta/combinators.ts";
import type { Field } from "../meta/field.ts";
import { descendingPath, hasBacksteps } from "./paths.ts";

interface VolumeScope {
  /** The valid volumes of the pod, by name. */
  readonly volumes: ReadonlyMap<string, Volume>;
}

const propagation = oneOf("Bidirectional", "HostToContainer", "None");
const recursiveModes = ["Disabled", "Enabled", "IfPossible"];
const subPath = unlessEmpty(descendingPath);
const needed = required();

/** Go: ValidateVolumeMounts. */
export function volumeMounts(container: Container, field: Field<VolumeScope>): void {
  const list = field.child("volumeMounts");
  const { volumeMounts: mounts = [], volumeDevices: devices = [] } = container;
  const devicePaths = new Map(devices.map(({ name = "", devicePath = "" }) => [name, devicePath]));
  const devicesAt = new Set(devicePaths.values());
  mounts.forEach((mount, i) => {
    const { name = "", mountPath = "" } = mount;
    const [nameField, pathField] = [list.index(i).child("name"), list.index(i).child("mountPath")];
    needed(name, nameField);
    if (!field.scope.volumes.has(name)) nameField.notFound(name);
    needed(mountPath, pathField);
    if (pathField.isRepeated(mountPath)) pathField.invalid(mountPath, "must be unique");
    if (devicePaths.has(name)) nameField.invalid(name, "must not already exist in volumeDevices");
    if (devicesAt.has(mountPath)) {
      pathField.invalid(mountPath, "must not already exist as a path in volumeDevices");
    }
    mountOptions(mount, container, { list, mount: list.index(i) });
  });
}

/** Kubernetes reports most errors of a mount at the list. */
function mountOptions(
  mount: VolumeMount,
  { securityContext }: Container,
  { list, mount: own }: { readonly list: Field; readonly mount: Field },
): void {
  const { subPathExpr = "", mountPropagation: mode } = mount;
  subPath(mount.subPath, list.child("subPath"));
  if (mount.subPath && subPathExpr) {
    const detail = "subPathExpr and subPath are mutually exclusive";
    own.child("subPathExpr").invalid(subPathExpr, detail);
  }
  subPath(subPathExpr, list.child("subPathExpr"));
  if (mode !== undefined) propagation(mode, list.child("mountPropagation"));
  if (mode === "Bidirectional" && securityContext?.privileged !== true) {
    const detail = "Bidirectional mount propagation is available only to privileged containers";
    list.child("mountPropagation").forbidden(detail);
  }
  recursiveReadOnly(mount, list.child("recursiveReadOnly"));
}

function recursiveReadOnly(mount: VolumeMount, field: Field): void {
  const { recursiveReadOnly: mode, readOnly = false, mountPropagation = "None" } = mount;
  const isKnown = mode === undefined || recursiveModes.includes(mode);
  if (!isKnown) field.notSupported(mode, recursiveModes);
  if (!isKnown || mode === undefined || mode === "Disabled") return;
  if (!readOnly) field.forbidden("may only be specified when readOnly is true");
  if (mountPropagation === "None") return;
  field.forbidden("may only be specified when mountPropagation is None or not specified");
}

/** Go: ValidateVolumeDevices. */
export function volumeDevices(container: Container, field: Field<VolumeScope>): void {
  const { volumeMounts: mounts = [], volumeDevices: devices = [] } = container;
  const mountPaths = new Map(mounts.map(({ name = "", mountPath = "" }) => [name, mountPath]));
  const mountsAt = new Set(mountPaths.values());
  const [names, paths] = [new Set<string>(), new Set<string>()];
  devices.forEach((device, i) => {
    const { name = "", devicePath = "" } = device;
    const at = field.child("volumeDevices").index(i);
    const [nameField, pathField] = [at.child("name"), at.child("devicePath")];
    deviceName(device, { names, volumes: field.scope.volumes }, nameField);
    devicePathRules(devicePath, paths, pathField);
    if (mountPaths.has(name)) nameField.invalid(name, "must not already exist in volumeMounts");
    if (mountsAt.has(devicePath)) {
      pathField.invalid(devicePath, "must not already exist as a path in volumeMounts");
    }
    if (name !== "") names.add(name);
  });
}

function deviceName(
  { name = "" }: VolumeDevice,
  { names, volumes }: { readonly names: ReadonlySet<string> } & VolumeScope,
  field: Field,
): void {
  const volume = volumes.get(name);
  const isBlock = volume?.persistentVolumeClaim !== undefined || volume?.ephemeral !== undefined;
  const detail =
    "can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode";
  needed(name, field);
  if (names.has(name)) field.invalid(name, "must be unique");
  if (volume === undefined) field.notFound(name);
  else if (!isBlock) field.invalid(name, detail);
}

function devicePathRules(value: string, taken: Set<string>, field: Field): void {
  const goesUp = hasBacksteps(value);
  needed(value, field);
  if (taken.has(value)) field.invalid(value, "must be unique");
  if (goesUp) field.invalid(value, "can not contain backsteps ('..')");
  else taken.add(value);
}
