import type { Target } from "@rookery/group-suffix";
import { forbiddenError, type StatusError, statusError } from "@rookery/kube";
import type { NarrowScope } from "./visibility.ts";

/** So many namespaces are named in a message. */
const named = 5;

/** What a request asks for, in the words of an API server. */
export interface Asked {
  readonly target: Target;
  readonly name: string;
  readonly scope: NarrowScope;
}

/** A request about a namespace that is not in the scope. */
export function outOfScope(asked: Asked, namespace: string): StatusError {
  const why = `this instance does not watch namespace "${namespace}" (${flagOf(asked.scope)})`;
  return forbidden(asked, `${why}: ask by the instance that does`);
}

/** A deletion in all namespaces: what is not known yet would be deleted, too. */
export function deletionTooWide(asked: Asked): StatusError {
  const why = `this instance does not watch all namespaces (${flagOf(asked.scope)})`;
  return forbidden(asked, `${why}: delete those of one namespace at a time`);
}

/** Who sees a part of the objects cannot tell which versions are stored. */
export function storedVersions(asked: Asked): StatusError {
  const why = `this instance sees only some of the objects (${flagOf(asked.scope)}), and would forget versions in which others are stored`;
  return forbidden(
    asked,
    `${why}: the operator migrates stored versions; start this instance with --skip-crd-migration-phases=StorageVersionMigration,CleanupManagedFields if it has the flag`,
  );
}

/** A path that the server might read differently from here. */
export function notThere(): StatusError {
  const message = "the server could not find the requested resource";
  return statusError({ code: 404, reason: "NotFound", message, details: {} });
}

function forbidden({ target, name }: Asked, why: string): StatusError {
  const { group, resource = "" } = target;
  return forbiddenError({ group, resource }, name, why);
}

/** The flag that a scope comes from, as a user would write it. */
function flagOf({ type, namespaces }: NarrowScope): string {
  const flag = type === "namespaces" ? "--namespace" : "--excluded-namespace";
  const rest = namespaces.length - named;
  const more = rest > 0 ? ` and ${rest} more` : "";
  return `${flag}=${namespaces.slice(0, named).join(",")}${more} of its proxy`;
}
