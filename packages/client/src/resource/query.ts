import type {
  ApplyOptions,
  DeleteOptions,
  ListOptions,
  WatchOptions,
  WriteOptions,
} from "./options.ts";

type Value = string | number | boolean | { toString(): string } | undefined;

/** Leaves out absent and empty values. */
export function formatQuery(values: Readonly<Record<string, Value>>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) {
    const text = value === undefined ? "" : String(value);
    if (text !== "") query.append(name, text);
  }
  return query.toString();
}

export function listQuery(options: ListOptions): string {
  return formatQuery({
    labelSelector: options.labelSelector,
    fieldSelector: options.fieldSelector,
    limit: options.limit,
    continue: options.continue,
    resourceVersion: options.resourceVersion,
    resourceVersionMatch: options.resourceVersionMatch,
    timeoutSeconds: options.timeoutSeconds,
  });
}

export function watchQuery(options: WatchOptions): string {
  const { allowWatchBookmarks = true, sendInitialEvents } = options;
  return formatQuery({
    watch: true,
    labelSelector: options.labelSelector,
    fieldSelector: options.fieldSelector,
    allowWatchBookmarks,
    resourceVersion: options.resourceVersion,
    sendInitialEvents,
    // The server requires both.
    resourceVersionMatch: sendInitialEvents === undefined ? undefined : "NotOlderThan",
    timeoutSeconds: options.timeoutSeconds,
  });
}

export function writeQuery(options: WriteOptions & Partial<ApplyOptions>): string {
  return formatQuery({
    dryRun: options.dryRun ? "All" : undefined,
    fieldManager: options.fieldManager,
    fieldValidation: options.fieldValidation,
    force: options.force,
  });
}

export function deleteBody(options: DeleteOptions): object {
  const { dryRun, propagationPolicy, gracePeriodSeconds, preconditions } = options;
  return {
    kind: "DeleteOptions",
    apiVersion: "v1",
    ...(dryRun && { dryRun: ["All"] }),
    ...(propagationPolicy && { propagationPolicy }),
    ...(gracePeriodSeconds !== undefined && { gracePeriodSeconds }),
    ...(preconditions && { preconditions }),
  };
}

/** One step of a JSON patch (RFC 6902). */
export type JsonPatchOperation =
  | { readonly op: "add" | "replace" | "test"; readonly path: string; readonly value: unknown }
  | { readonly op: "remove"; readonly path: string }
  | { readonly op: "move" | "copy"; readonly path: string; readonly from: string };

/**
 * JSON patch, merge patch (RFC 7386), or strategic merge patch, which merges lists by key and
 * which custom resources lack.
 */
export type Patch =
  | { readonly type: "json"; readonly patch: readonly JsonPatchOperation[] }
  | { readonly type: "merge" | "strategic"; readonly patch: object };

export const applyContentType = "application/apply-patch+yaml";

export const patchContentTypes: Readonly<Record<Patch["type"], string>> = {
  json: "application/json-patch+json",
  merge: "application/merge-patch+json",
  strategic: "application/strategic-merge-patch+json",
};
