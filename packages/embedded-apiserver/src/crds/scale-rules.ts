import type { CustomResourceSubresourceScale } from "@rookery/api";
import { FieldError, internalError, isRecord, type KubeObject } from "@rookery/kube";
import type { ScaleRules } from "../kinds/declaration/kind.ts";
import { untypedGoType } from "./converted-object.ts";

const maxReplicas = 2 ** 31 - 1;

/** Reads and writes replicas at the declared paths. */
export function scaleRulesOf(scale: CustomResourceSubresourceScale): ScaleRules<KubeObject> {
  const { specReplicasPath = "", statusReplicasPath = "", labelSelectorPath = "" } = scale;
  return {
    specReplicas: (object) => numberAt(object, specReplicasPath) ?? 0,
    statusReplicas: (object) => numberAt(object, statusReplicasPath) ?? 0,
    selector: (object) => {
      const selector = labelSelectorPath ? valueAt(object, stepsOf(labelSelectorPath)) : "";
      return typeof selector === "string" ? selector : "";
    },
    setReplicas: (object, replicas) => setAt(object, stepsOf(specReplicasPath), replicas),
  };
}

/** Throws if the object has no spec replicas. */
export function assertReplicas(object: KubeObject, scale: CustomResourceSubresourceScale): void {
  const { specReplicasPath = "" } = scale;
  if (numberAt(object, specReplicasPath) !== undefined) return;
  throw internalError(new Error(`the spec replicas field "${specReplicasPath}" does not exist`));
}

/** The errors of the status fields of the scale subresource. */
export function validateScaleStatus(
  object: KubeObject,
  scale: CustomResourceSubresourceScale | undefined,
): FieldError[] {
  if (!scale) return [];
  const { statusReplicasPath = "", labelSelectorPath } = scale;
  return [
    ...validateReplicas(object, statusReplicasPath),
    ...(labelSelectorPath ? validateSelector(object, labelSelectorPath) : []),
  ];
}

/** The errors of all fields of the scale subresource. */
export function validateScale(
  object: KubeObject,
  scale: CustomResourceSubresourceScale | undefined,
): FieldError[] {
  if (!scale) return [];
  const spec = validateReplicas(object, scale.specReplicasPath ?? "");
  return [...spec, ...validateScaleStatus(object, scale)];
}

function validateReplicas(object: KubeObject, path: string): FieldError[] {
  const found = lookUp(object, path, "int64");
  if ("problem" in found) return [FieldError.invalid(path, 0, found.problem)];
  const replicas = (found.value as number | undefined) ?? 0;
  if (replicas < 0) {
    return [FieldError.invalid(path, replicas, "should be a non-negative integer")];
  }
  if (replicas <= maxReplicas) return [];
  return [FieldError.invalid(path, replicas, `should be less than or equal to ${maxReplicas}`)];
}

function validateSelector(object: KubeObject, path: string): FieldError[] {
  const found = lookUp(object, path, "string");
  return "problem" in found ? [FieldError.invalid(path, "", found.problem)] : [];
}

const aMap = "map[string]interface{}";

/** The value at a path, or the error of Go's accessors: all parents have to be maps. */
function lookUp(
  object: KubeObject,
  path: string,
  type: "int64" | "string",
): { readonly value: unknown } | { readonly problem: string } {
  const wrong = (at: string, value: unknown, expected: string) => ({
    problem: `${at} accessor error: ${shown(value)} is of the type ${untypedGoType(value)}, expected ${expected}`,
  });
  let value: unknown = object;
  for (const step of stepsOf(path)) {
    if (value === undefined || value === null) return { value: undefined };
    if (!isRecord(value)) return wrong(path, value, aMap);
    value = Object.hasOwn(value, step) ? value[step] : undefined;
  }
  if (value === undefined || untypedGoType(value) === type) return { value };
  return wrong(path, value, type);
}

function shown(value: unknown): string {
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

function stepsOf(path: string): readonly string[] {
  return path.replace(/^\./, "").split(".");
}

function numberAt(object: KubeObject, path: string): number | undefined {
  const value = valueAt(object, stepsOf(path));
  return typeof value === "number" ? value : undefined;
}

function valueAt(value: unknown, steps: readonly string[]): unknown {
  return steps.reduce<unknown>(
    (found, step) => (isRecord(found) && Object.hasOwn(found, step) ? found[step] : undefined),
    value,
  );
}

function setAt(object: object, steps: readonly string[], value: number): void {
  let parent = object as Record<string, unknown>;
  for (const step of steps.slice(0, -1)) {
    const child = parent[step];
    const next = isRecord(child) ? child : {};
    parent[step] = next;
    parent = next;
  }
  parent[steps.at(-1) ?? ""] = value;
}
