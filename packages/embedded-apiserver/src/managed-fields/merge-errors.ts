import { unclassifiedError } from "@rookery/apiserver";
import { defineError } from "@rookery/errors";
import {
  applyConflictError,
  formatGroupVersionKind,
  groupVersionKindOf,
  type KubeObject,
  ParseError,
  quote,
  type StatusError,
} from "@rookery/kube";
import { InvalidValueError, ListItemError, VersionConversionError } from "../errors.ts";
import { type FieldSet, forEachPath, hasPath } from "./field-set.ts";
import { identityOf, type ManagerId } from "./managers.ts";
import { compareTexts, type PathElement, printPath } from "./path-element.ts";

/** Whether an error is caused by the objects, not by this code. */
export function isMergeError(error: unknown): error is Error {
  return (
    error instanceof VersionConversionError ||
    error instanceof InvalidValueError ||
    error instanceof ListItemError ||
    error instanceof SyntaxError
  );
}

/** A merge error as the StatusError of kube-apiserver, which has no reason. */
export function mergeFailure(error: unknown, what?: string): unknown {
  if (!isMergeError(error)) return error;
  const message = what === undefined ? error.message : `${what}: ${error.message}`;
  return unclassifiedError(message, { cause: error });
}

/** An object in messages: "default/web; apps/v1, Kind=Deployment". */
export function describeObject(object: KubeObject): string {
  const { namespace, name } = object.metadata ?? {};
  return `${text(namespace)}/${text(name)}; ${describeKind(object)}`;
}

function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** "apps/v1, Kind=Deployment"; unreadable parts are empty. */
export function describeKind({ apiVersion, kind }: Partial<KubeObject>): string {
  const own = { apiVersion: text(apiVersion), kind: text(kind) };
  try {
    return formatGroupVersionKind(groupVersionKindOf(own));
  } catch (error) {
    if (!(error instanceof ParseError)) throw error;
    return formatGroupVersionKind({ group: "", version: "", kind: "" });
  }
}

/** A field that an apply would take from another manager. */
export interface Conflict {
  readonly manager: ManagerId;
  readonly path: readonly PathElement[];
}

/** An apply of fields that other managers own. */
export class ConflictsError extends defineError(
  "ApplyConflicts",
  (conflicts: readonly Conflict[]) => ({
    message: `could not apply: other managers own ${conflicts.length} of the fields; omit these or force the apply`,
    conflicts,
  }),
) {}

export function conflictsOf(sets: ReadonlyMap<ManagerId, FieldSet>): Conflict[] {
  const conflicts: Conflict[] = [];
  for (const [manager, fields] of [...sets].sort(([a], [b]) => compareTexts(a, b))) {
    forEachPath(fields, (path) => conflicts.push({ manager, path }));
  }
  return conflicts;
}

/** The conflicts outside of a set of fields. */
export function conflictsOutside(conflicts: readonly Conflict[], allowed: FieldSet): Conflict[] {
  return conflicts.filter(({ path }) => !hasPath(allowed, path));
}

/** The response to an apply without force, in kube-apiserver's wording. */
export function conflictStatus(conflicts: readonly Conflict[]): StatusError {
  const causes = conflicts.map(({ manager, path }) => ({
    reason: "FieldManagerConflict",
    message: `conflict with ${printManager(manager)}`,
    field: printPath(path),
  }));
  return applyConflictError(causes, messageOf(conflicts));
}

function messageOf(conflicts: readonly Conflict[]): string {
  const [first] = conflicts;
  if (first && conflicts.length === 1) {
    const manager = printManager(first.manager);
    return `Apply failed with 1 conflict: conflict with ${manager}: ${printPath(first.path)}`;
  }
  const lines = [...Map.groupBy(conflicts, ({ manager }) => manager)].flatMap(([manager, own]) => [
    `conflicts with ${printManager(manager)}:`,
    ...own.map(({ path }) => `- ${printPath(path)}`),
  ]);
  return `Apply failed with ${conflicts.length} conflicts: ${lines.join("\n")}`;
}

function printManager(id: ManagerId): string {
  const { manager = "", operation, apiVersion = "", subresource } = identityOf(id);
  const name = subresource
    ? `${quote(manager)} with subresource ${quote(subresource)}`
    : quote(manager);
  return operation === "Update" ? `${name} using ${apiVersion}` : name;
}
