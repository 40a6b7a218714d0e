import { forbiddenError, type RequestInfo, type StatusError, statusError } from "@rookery/kube";
import type { NarrowScope } from "./visibility.ts";

/** The number of namespaces in a message. */
const named = 5;

export interface Asked {
  readonly info: RequestInfo;
  readonly scope: NarrowScope;
}

export function outOfScope(asked: Asked, namespace: string): StatusError {
  const why = `this instance does not watch namespace "${namespace}" (${flagOf(asked.scope)})`;
  return forbidden(asked, `${why}: ask by the instance that does`);
}

/** A deletion in all namespaces. */
export function deletionTooWide(asked: Asked): StatusError {
  const why = `this instance does not watch all namespaces (${flagOf(asked.scope)})`;
  return forbidden(asked, `${why}: delete those of one namespace at a time`);
}

/** An instance that sees only some objects cannot know the stored versions. */
export function storedVersions(asked: Asked): StatusError {
  const why = `this instance sees only some of the objects (${flagOf(asked.scope)}), and would forget versions in which others are stored`;
  return forbidden(
    asked,
    `${why}: the operator migrates stored versions; start this instance with --skip-crd-migration-phases=StorageVersionMigration,CleanupManagedFields if it has the flag`,
  );
}

export function definitionOfOthers(asked: Asked): StatusError {
  const why = `the objects of namespaces that this instance does not watch would be deleted, too (${flagOf(asked.scope)})`;
  return forbidden(asked, `${why}: delete it with a kubeconfig of the API server`);
}

export function throughNode(asked: Asked): StatusError {
  const why = `it reaches pods of namespaces that this instance does not watch (${flagOf(asked.scope)})`;
  return forbidden(asked, `${why}: ask for the pod itself in its namespace`);
}

/** A WebSocket could carry objects of all namespaces. */
export function upgradeTooWide(asked: Asked): StatusError {
  const why = `no lists and watches pass over WebSocket, as this instance does not watch all namespaces (${flagOf(asked.scope)})`;
  return forbidden(asked, `${why}: ask without the header Upgrade`);
}

export function newNamespace(asked: Asked, name: string): StatusError {
  const why = `this instance does not watch namespace "${name}" (${flagOf(asked.scope)})`;
  return forbidden(asked, `${why}: create it with a kubeconfig of the API server`);
}

/** Other paths may contain information about other namespaces. */
export function hiddenPath({ info, scope }: Asked): StatusError {
  const why = `it is about the whole cluster, and this instance does not watch all namespaces (${flagOf(scope)})`;
  const message = `forbidden: could not get path ${JSON.stringify(info.path.slice(0, 200))}: ${why}; ask with a kubeconfig of the API server`;
  return statusError({ code: 403, reason: "Forbidden", message, details: {} });
}

function forbidden({ info: { group, resource, parts } }: Asked, why: string): StatusError {
  return forbiddenError({ group, resource }, parts[1] ?? "", why);
}

/** The flag of a scope, as a user would write it. */
function flagOf({ type, namespaces }: NarrowScope): string {
  const flag = type === "namespaces" ? "--namespace" : "--excluded-namespace";
  const rest = namespaces.length - named;
  const more = rest > 0 ? ` and ${rest} more` : "";
  return `${flag}=${namespaces.slice(0, named).join(",")}${more} of its proxy`;
}
