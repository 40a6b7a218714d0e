import type { PodSpec } from "@rookery/api";
import { FieldError, type FieldPath } from "@rookery/kube";

const containerLists = ["initContainers", "containers", "ephemeralContainers"] as const;

/** What a pod of Windows may not say, in the order of Kubernetes; "x.y" is a field of a field. */
const notForWindows = [
  "securityContext.appArmorProfile",
  "securityContext.seLinuxOptions",
  "hostUsers",
  "hostPID",
  "hostIPC",
  "securityContext.seccompProfile",
  "securityContext.fsGroup",
  "securityContext.fsGroupChangePolicy",
  "securityContext.sysctls",
  "shareProcessNamespace",
  "securityContext.runAsUser",
  "securityContext.runAsGroup",
  "securityContext.supplementalGroups",
  "securityContext.supplementalGroupsPolicy",
  "securityContext.seLinuxChangePolicy",
];
const notForWindowsContainers = [
  "appArmorProfile",
  "seLinuxOptions",
  "seccompProfile",
  "capabilities",
  "readOnlyRootFilesystem",
  "privileged",
  "allowPrivilegeEscalation",
  "procMount",
  "runAsUser",
  "runAsGroup",
].map((field) => `securityContext.${field}`);

/** That a pod which names its operating system says nothing that is only for another. */
export function validateOperatingSystem(spec: PodSpec, path: FieldPath): FieldError[] {
  if (spec.os === undefined) return [];
  const { name = "" } = spec.os;
  if (name === "") return [FieldError.required(path.child("os", "name"), "")];
  if (name === "linux") return validateLinux(spec, path);
  if (name === "windows") return validateWindows(spec, path);
  return [FieldError.notSupported(path.child("os"), name, ["linux", "windows"])];
}

function validateLinux(spec: PodSpec, path: FieldPath): FieldError[] {
  const fields = ["securityContext.windowsOptions"];
  const detail = "windows options cannot be set for a linux pod";
  return [
    ...forbiddenFields(spec, fields, { path, detail }),
    ...inContainers(spec, fields, { path, detail }),
  ];
}

function validateWindows(spec: PodSpec, path: FieldPath): FieldError[] {
  const detail = "cannot be set for a windows pod";
  return [
    ...forbiddenFields(spec, notForWindows, { path, detail }),
    ...inContainers(spec, notForWindowsContainers, { path, detail }),
  ];
}

interface Refusal {
  readonly path: FieldPath;
  readonly detail: string;
}

function inContainers(spec: PodSpec, fields: readonly string[], refusal: Refusal): FieldError[] {
  return containerLists.flatMap((list) =>
    (spec[list] ?? []).flatMap((container, i) => {
      const path = refusal.path.child(list).index(i);
      return forbiddenFields(container, fields, { ...refusal, path });
    }),
  );
}

function forbiddenFields(
  object: object,
  fields: readonly string[],
  { path, detail }: Refusal,
): FieldError[] {
  return fields
    .filter((field) => isSet(valueAt(object, field.split("."))))
    .map((field) => FieldError.forbidden(path.child(...field.split(".")), detail));
}

function valueAt(object: unknown, names: readonly string[]): unknown {
  return names.reduce<unknown>((value, name) => {
    return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
  }, object);
}

/** Pointers are set where they are there, flags where they are true, lists where they have items. */
function isSet(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0;
  return value !== undefined && value !== null;
}
