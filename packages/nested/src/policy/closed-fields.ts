import type { NestedAPIServer } from "@rookery/api";
import { type FieldPath, fieldPath } from "@rookery/kube";
import type { ComponentObject } from "../component-object.ts";
import { ComponentError } from "../errors.ts";
import type { Component } from "../names.ts";
import {
  type Allowances,
  isAllowedArgument,
  isAllowedHost,
  isAllowedImage,
  matchesAny,
  programOf,
  repositoryOf,
} from "./allowances.ts";
import { allowedPaths, refusedPaths } from "./patch-paths.ts";

/** A field that the administrator does not allow. */
export interface ClosedField {
  readonly path: FieldPath;
  readonly value: unknown;
  /** The problem, and both solutions. */
  readonly why: string;
}

export type CheckedComponent = Pick<ComponentObject, "kind" | "spec">;

const path = fieldPath("spec");
/** The limit of fields in the message of a condition. */
const mostNamed = 8;

const containers: Readonly<Record<ComponentObject["kind"], Component>> = {
  NestedEtcd: "etcd",
  NestedAPIServer: "apiserver",
  NestedControllerManager: "controller-manager",
};

/** The fields of a component that need an allowance and have none. */
export function closedFields(component: CheckedComponent, allowances: Allowances): ClosedField[] {
  return [
    ...closedImage(component, allowances),
    ...closedArguments(component, allowances),
    ...closedPatches(component, allowances),
    ...closedService(component, allowances),
  ];
}

/** Throws a ComponentError that names all closed fields. */
export function refuseClosedFields(component: CheckedComponent, allowances: Allowances): void {
  const closed = closedFields(component, allowances);
  if (closed.length === 0) return;
  const named = closed.slice(0, mostNamed).map((one) => `${one.path}: ${one.why}`);
  const more = closed.length > mostNamed ? [`and ${closed.length - mostNamed} more`] : [];
  throw new ComponentError("NotAllowed", [...named, ...more].join("; "));
}

function closedImage({ spec: { image } }: CheckedComponent, { images }: Allowances): ClosedField[] {
  if (image === undefined || isAllowedImage(image, images)) return [];
  return [closed(path.child("image"), image, ["allowed-images", repositoryOf(image)])];
}

function closedArguments(
  component: CheckedComponent,
  { extraArgs: allowed }: Allowances,
): ClosedField[] {
  const program = programOf(component);
  return (component.spec.extraArgs ?? []).flatMap(({ name, value }, index) => {
    if (isAllowedArgument(program, name, allowed)) return [];
    const at = path.child("extraArgs").index(index);
    return [closed(at, { name, value }, ["allowed-extra-args", `${program}:${name}`])];
  });
}

function closedPatches(
  { kind, spec }: CheckedComponent,
  { patches: allowed }: Allowances,
): ClosedField[] {
  const { patches = [] } = spec;
  const kinds = new Set(patches.map((patch) => patch.kind));
  const patternsOf = new Map(
    [...kinds].map((one) => [one, allowedPaths(one, containers[kind], allowed)]),
  );
  return patches.flatMap((patch, index) => {
    const at = path.child("patches").index(index);
    const patterns = patternsOf.get(patch.kind) ?? [];
    return refusedPaths(patch, patterns).map((refused) => {
      const way = `${patch.kind}:${refused.path}`;
      return closed(at, { set: refused.value }, ["allowed-patches", way]);
    });
  });
}

function closedService({ kind, spec }: CheckedComponent, allowances: Allowances): ClosedField[] {
  if (kind !== "NestedAPIServer") return [];
  const { service } = spec as Partial<NestedAPIServer["spec"]>;
  const at = path.child("service");
  const { host, annotations = {} } = service ?? {};
  const isHostClosed = host !== undefined && !isAllowedHost(host, allowances.hosts);
  const keys = Object.entries(annotations).filter(
    ([key]) => !matchesAny(key, allowances.serviceAnnotations),
  );
  return [
    ...(isHostClosed ? [closed(at.child("host"), host, ["allowed-hosts", host])] : []),
    ...keys.map(([key, value]) =>
      closed(at.child("annotations").key(key), { value }, ["allowed-service-annotations", key]),
    ),
  ];
}

type Flag = readonly [name: string, value: string];

function closed(at: FieldPath, value: unknown, [name, allowed]: Flag): ClosedField {
  const solution = isNeverAllowed(allowed)
    ? "remove it: pods keep to the Pod Security Standard restricted, and no flag allows more"
    : `remove it, or have the administrator start the manager with --${name}=${short(allowed)}`;
  const shown = short(typeof value === "string" ? value : allowed);
  return { path: at, value, why: `${shown} is not allowed; ${solution}` };
}

/** Fields that the standard never allows. */
function isNeverAllowed(patched: string): boolean {
  return /:spec\.template\.spec\.host(PID|IPC|Network)$/.test(patched);
}

function short(text: string): string {
  return text.length > 160 ? `${text.slice(0, 160)}…` : text;
}
