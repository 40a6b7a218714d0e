import type { ListOptions } from "@rookery/apiserver";
import { badRequestError } from "@rookery/kube";
import { UnreadableVersionError } from "../errors.ts";
import type { Store } from "../store/store.ts";
import { type ContinueToken, decodeContinue } from "./continue-token.ts";
import {
  describeUnreadable,
  parseResourceVersion,
  tooLargeResourceVersionError,
} from "./resource-version.ts";

/** As of when a list is, and where it begins. */
export interface ListRevision {
  /** Undefined for what is there now. */
  readonly exact: number | undefined;
  readonly token: ContinueToken | undefined;
}

/** Throws what is wrong with a continue token or a resourceVersion. */
export function listRevisionOf(options: ListOptions, store: Store, isOne: boolean): ListRevision {
  if (options.continue !== "") {
    const at = continued(options, store);
    if (!isOne) return at;
  }
  const { resourceVersion, resourceVersionMatch: match, limit } = options;
  const asked = parseListed(resourceVersion);
  if (asked > store.revision) {
    // Only who waits for a cache is told when to come again.
    const retryAfterSeconds = isOne && match === "Exact" ? 0 : 1;
    throw tooLargeResourceVersionError(resourceVersion, store.revision, retryAfterSeconds);
  }
  // With a limit, a version has always been an exact one.
  const isExact = match === "Exact" || (match === "" && limit > 0 && !isOne);
  return { exact: isExact && asked > 0 ? asked : undefined, token: undefined };
}

function continued({ continue: text, resourceVersion }: ListOptions, store: Store): ListRevision {
  const token = decodeContinue(text);
  if (resourceVersion !== "" && resourceVersion !== "0") {
    throw badRequestError("specifying resource version is not allowed when using continue");
  }
  if (token.revision > store.revision) {
    throw tooLargeResourceVersionError(String(token.revision), store.revision);
  }
  return { exact: token.revision > 0 ? token.revision : undefined, token };
}

function parseListed(resourceVersion: string): number {
  try {
    return parseResourceVersion(resourceVersion);
  } catch (error) {
    if (!(error instanceof UnreadableVersionError)) throw error;
    throw badRequestError(`invalid resource version: ${describeUnreadable(error)}`);
  }
}
