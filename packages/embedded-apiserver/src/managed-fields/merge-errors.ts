import {
  formatGroupVersionKind,
  groupVersionKindOf,
  type KubeObject,
  ParseError,
  statusError,
} from "@rookery/kube";
import { InvalidValueError, ListItemError, VersionConversionError } from "../errors.ts";

/** Whether an error is of the objects, and not of this code. */
export function isMergeError(error: unknown): error is Error {
  return (
    error instanceof VersionConversionError ||
    error instanceof InvalidValueError ||
    error instanceof ListItemError ||
    error instanceof SyntaxError
  );
}

/** An error of the objects as kube-apiserver tells it, which has no reason for it. */
export function mergeFailure(error: unknown, what?: string): unknown {
  if (!isMergeError(error)) return error;
  const message = what === undefined ? error.message : `${what}: ${error.message}`;
  return statusError({ code: 500, reason: "", message }, { cause: error });
}

/** How messages call an object: "default/web; apps/v1, Kind=Deployment". */
export function describeObject(object: KubeObject): string {
  const { namespace, name } = object.metadata ?? {};
  return `${text(namespace)}/${text(name)}; ${describeKind(object)}`;
}

/** What is no text is not told. */
function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** "apps/v1, Kind=Deployment"; what is not said or can't be read is left out. */
export function describeKind({ apiVersion, kind }: Partial<KubeObject>): string {
  const own = { apiVersion: text(apiVersion), kind: text(kind) };
  try {
    return formatGroupVersionKind(groupVersionKindOf(own));
  } catch (error) {
    if (!(error instanceof ParseError)) throw error;
    return formatGroupVersionKind({ group: "", version: "", kind: "" });
  }
}
