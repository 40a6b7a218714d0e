import type {
  ApplyOptions,
  DeleteOptions,
  ListOptions,
  WatchOptions,
  WriteOptions,
} from "./options.ts";

type Value = string | number | boolean | { toString(): string } | undefined;

/** Writes a query without what is absent or "". */
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
    // The server refuses one without the other.
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

/** The body of a DELETE. */
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
