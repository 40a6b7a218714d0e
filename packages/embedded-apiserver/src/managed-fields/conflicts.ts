import { applyConflictError, quote, type StatusError } from "@rookery/kube";
import { type FieldSet, forEachPath, hasPath } from "./field-set.ts";
import { compareTexts, identityOf, type ManagerId } from "./managers.ts";
import { type PathElement, printPath } from "./path-element.ts";

/** A field that an apply would take from another manager. */
export interface Conflict {
  readonly manager: ManagerId;
  readonly path: readonly PathElement[];
}

/** Fields that others own; who applies decides whether to force. */
export class ConflictsError extends Error {
  readonly code = "ApplyConflicts";
  readonly conflicts: readonly Conflict[];

  constructor(conflicts: readonly Conflict[]) {
    super(`could not apply: ${conflicts.length} fields belong to others; give them up or force`);
    this.name = "ConflictsError";
    this.conflicts = conflicts;
  }
}

export function conflictsOf(sets: ReadonlyMap<ManagerId, FieldSet>): Conflict[] {
  const conflicts: Conflict[] = [];
  for (const [manager, fields] of [...sets].sort(([a], [b]) => compareTexts(a, b))) {
    forEachPath(fields, (path) => conflicts.push({ manager, path }));
  }
  return conflicts;
}

/** Those whose fields are not in a set. */
export function conflictsOutside(conflicts: readonly Conflict[], allowed: FieldSet): Conflict[] {
  return conflicts.filter(({ path }) => !hasPath(allowed, path));
}

/** The answer to an apply that is not forced, in kube-apiserver's words. */
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
