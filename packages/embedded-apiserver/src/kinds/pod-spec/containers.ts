import type { Container, EphemeralContainer, PodSpec } from "@rookery/api";
import { FieldError, type FieldPath } from "@rookery/kube";
import {
  type PodScope,
  validateContainer,
  validateHostPorts,
  validateInitRestartPolicy,
} from "./container.ts";
import { validateLifecycle, validateLivenessProbe, validateReadinessProbe } from "./probes.ts";

/** What ephemeral containers may not have, in Go's order. */
const notForEphemeral = [
  "ports",
  "resources",
  "resizePolicy",
  "restartPolicy",
  "restartPolicyRules",
  "livenessProbe",
  "readinessProbe",
  "startupProbe",
  "lifecycle",
] as const;
const onlyForSidecars = ["lifecycle", "livenessProbe", "readinessProbe", "startupProbe"] as const;

/** The containers of a pod that run all the time. */
export function validateContainers(
  containers: readonly Container[],
  scope: PodScope,
  path: FieldPath,
): FieldError[] {
  if (containers.length === 0) return [FieldError.required(path, "")];
  const names = new Set<string>();
  const problems = containers.flatMap((container, i) => {
    const { name = "", restartPolicy } = container;
    const at = path.index(i);
    const repeated = names.has(name) ? [FieldError.duplicate(at.child("name"), name)] : [];
    names.add(name);
    const detail = "may not be set for non-init containers";
    return [
      ...validateContainer(container, scope, at),
      ...repeated,
      ...validateHooks(container, scope, at),
      ...(restartPolicy === undefined
        ? []
        : [FieldError.forbidden(at.child("restartPolicy"), detail)]),
    ];
  });
  return [...problems, ...validateHostPorts(containers, path)];
}

function validateHooks(container: Container, scope: PodScope, path: FieldPath): FieldError[] {
  const { lifecycle, livenessProbe, readinessProbe, startupProbe } = container;
  const { gracePeriod: grace } = scope;
  return [
    ...(lifecycle === undefined
      ? []
      : validateLifecycle(lifecycle, grace, path.child("lifecycle"))),
    ...validateLivenessProbe(livenessProbe, grace, path.child("livenessProbe")),
    ...validateReadinessProbe(readinessProbe, grace, path.child("readinessProbe")),
    ...validateLivenessProbe(startupProbe, grace, path.child("startupProbe")),
  ];
}

/** The containers that run before the others, one after the other. */
export function validateInitContainers(
  { initContainers = [], containers = [] }: PodSpec,
  scope: PodScope,
  path: FieldPath,
): FieldError[] {
  const names = new Set(containers.map(({ name = "" }) => name));
  return initContainers.flatMap((container, i) => {
    const { name = "", restartPolicy } = container;
    const at = path.index(i);
    const repeated = names.has(name) ? [FieldError.duplicate(at.child("name"), name)] : [];
    if (name !== "") names.add(name);
    return [
      ...validateContainer(container, scope, at),
      ...(restartPolicy === undefined
        ? []
        : validateInitRestartPolicy(restartPolicy, at.child("restartPolicy"))),
      ...repeated,
      ...validateHostPorts([container], path),
      ...validateInitHooks(container, scope, at),
    ];
  });
}

function validateInitHooks(container: Container, scope: PodScope, path: FieldPath): FieldError[] {
  if (container.restartPolicy === "Always") return validateHooks(container, scope, path);
  const detail = "may not be set for init containers without restartPolicy=Always";
  return onlyForSidecars
    .filter((field) => container[field] !== undefined)
    .map((field) => FieldError.forbidden(path.child(field), detail));
}

/** The containers that someone adds to look into a pod. */
export function validateEphemeralContainers(
  { ephemeralContainers = [], containers = [], initContainers = [] }: PodSpec,
  scope: PodScope,
  path: FieldPath,
): FieldError[] {
  const others = new Set([...containers, ...initContainers].map(({ name = "" }) => name));
  const names = new Set(others);
  return ephemeralContainers.flatMap((container, i) => {
    const { name = "", targetContainerName: target = "" } = container;
    const at = path.index(i);
    const repeated = names.has(name) ? [FieldError.duplicate(at.child("name"), name)] : [];
    names.add(name);
    return [
      ...validateContainer(container, scope, at),
      ...validateImageSpaces(container, at.child("image")),
      ...repeated,
      ...(target === "" || others.has(target)
        ? []
        : [FieldError.notFound(at.child("targetContainerName"), target)]),
      ...validateEphemeralFields(container, at),
    ];
  });
}

function validateEphemeralFields(container: EphemeralContainer, path: FieldPath): FieldError[] {
  const detail = "cannot be set for an Ephemeral Container";
  const mounts = container.volumeMounts ?? [];
  return [
    ...notForEphemeral
      .filter((field) => !isUnset(field, container[field]))
      .map((field) => FieldError.forbidden(path.child(field), detail)),
    ...mounts.flatMap((mount, i) =>
      (["subPath", "subPathExpr"] as const)
        .filter((field) => (mount[field] ?? "") !== "")
        .map((field) =>
          FieldError.forbidden(path.child("volumeMounts").index(i).child(field), detail),
        ),
    ),
  ];
}

/** Resources are always there, and may be empty; an empty probe is one. */
function isUnset(field: string, value: unknown): boolean {
  if (value === undefined || (Array.isArray(value) && value.length === 0)) return true;
  return field === "resources" && Object.keys(value ?? {}).length === 0;
}

/** Pods are stricter than templates here. */
export function validateImageSpaces({ image = "" }: Container, path: FieldPath): FieldError[] {
  const detail = "must not have leading or trailing whitespace";
  return image === image.trim() ? [] : [FieldError.invalid(path, image, detail)];
}
