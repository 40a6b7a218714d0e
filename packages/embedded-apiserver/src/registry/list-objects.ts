import type { ListOptions, ListRequest } from "@rookery/apiserver";
import {
  badRequestError,
  formatGroupResource,
  type KubeList,
  type KubeObject,
  type ListMeta,
  resourceExpiredError,
  StatusError,
  type StoreEntry,
  type StorePage,
} from "@rookery/kube";
import { CompactedError } from "../errors.ts";
import type { Store } from "../store/store.ts";
import { type ContinueToken, decodeContinue, encodeContinue } from "./continue-token.ts";
import { entryList } from "./entry-list.ts";
import type { ObjectVersions } from "./object-versions.ts";
import { parseResourceVersion, tooLargeResourceVersionError } from "./resource-version.ts";
import { type ListScope, listScopeOf, type Matches, matchesOf } from "./selection.ts";
import type { StorageOptions } from "./storage-options.ts";

/** Lists objects. All pages of a list have the same revision. */
export function listObjects(options: StorageOptions, versions: ObjectVersions) {
  return async (request: ListRequest): Promise<KubeList> => {
    const { options: listOptions } = request;
    const scope = listScopeOf(request.namespace, listOptions, options);
    const at = listRevisionOf(listOptions, options.store, scope.name !== undefined);
    const { entries, revision } = entriesAt(at, scope, options);
    const matches = matchesOf(listOptions, options);
    const limit = listOptions.resourceVersion === "0" ? 0 : listOptions.limit;
    const page = await pageOf(entries, { matches, limit, versions });
    const metadata = {
      // Lists of custom kinds always have this field.
      ...(options.rules.dialect === "custom" && { continue: "" }),
      resourceVersion: String(revision),
      ...continuation(page, { entries, limit, revision, scope, isAll: matches === undefined }),
    };
    return entryList(page.entries, { metadata, options, versions });
  };
}

/** Throws a 410 for a compacted revision. */
function entriesAt(at: ListRevision, scope: ListScope, options: StorageOptions): StorePage {
  const { entries, revision } = readPage(at, scope, options);
  if (scope.name !== undefined) {
    return { entries: entries.filter(({ name }) => name === scope.name), revision };
  }
  if (!at.token) return { entries, revision };
  const { start } = at.token;
  return { entries: entries.slice(firstFrom(entries, start, scope)), revision };
}

function readPage({ exact, token }: ListRevision, scope: ListScope, options: StorageOptions) {
  try {
    return options.store.list(formatGroupResource(options.resource), {
      ...(scope.namespace !== "" && { namespace: scope.namespace }),
      ...(exact !== undefined && { revision: exact }),
    });
  } catch (error) {
    if (!(error instanceof CompactedError)) throw error;
    throw token ? expiredContinueError(token.start) : resourceExpiredError(expiredList);
  }
}

const expiredList = "The resourceVersion for the provided list is too old.";
const expiredContinue =
  "The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter, or use the continue token in this response to retrieve the remainder of the results. Continuing with the provided token results in an inconsistent list - objects that were created, modified, or deleted between the time the first chunk was returned and now may show up in the list.";

/** Includes a token that continues with the current state. */
function expiredContinueError(start: string): StatusError {
  const { status } = resourceExpiredError(expiredContinue);
  const metadata = { continue: encodeContinue({ revision: -1, start }) };
  return new StatusError({ ...status, metadata });
}

function placeOf({ namespace, name }: StoreEntry, scope: ListScope): string {
  return namespace === "" || scope.namespace !== "" ? name : `${namespace}/${name}`;
}

function firstFrom(entries: readonly StoreEntry[], start: string, scope: ListScope): number {
  let [low, high] = [0, entries.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const entry = entries[middle];
    if (entry && placeOf(entry, scope) < start) low = middle + 1;
    else high = middle;
  }
  return low;
}

interface Page {
  readonly entries: readonly StoreEntry[];
  /** Whether entries follow the last one, selected or not. */
  readonly hasMore: boolean;
}

async function pageOf(
  entries: readonly StoreEntry[],
  how: { matches: Matches | undefined; limit: number; versions: ObjectVersions },
): Promise<Page> {
  const { matches, limit, versions } = how;
  if (!matches) {
    if (limit <= 0 || entries.length <= limit) return { entries, hasMore: false };
    return { entries: entries.slice(0, limit), hasMore: true };
  }
  const objects: readonly KubeObject[] = versions.isPlain
    ? entries.map(({ object }) => object)
    : await versions.servedAll(entries);
  const isSelected = (_: StoreEntry, index: number) => matches(objects[index] as KubeObject);
  if (limit <= 0) return { entries: entries.filter(isSelected), hasMore: false };
  const selected: StoreEntry[] = [];
  for (const [index, entry] of entries.entries()) {
    if (isSelected(entry, index)) selected.push(entry);
    if (selected.length >= limit) return { entries: selected, hasMore: index < entries.length - 1 };
  }
  return { entries: selected, hasMore: false };
}

function continuation(
  page: Page,
  at: {
    entries: readonly StoreEntry[];
    limit: ListOptions["limit"];
    revision: number;
    scope: ListScope;
    isAll: boolean;
  },
): ListMeta {
  const last = page.entries.at(-1);
  if (!page.hasMore || !last) return {};
  const start = `${placeOf(last, at.scope)}\0`;
  return {
    continue: encodeContinue({ revision: at.revision, start }),
    ...(at.isAll && { remainingItemCount: at.entries.length - at.limit }),
  };
}

/** The revision of a list, and where it continues. */
interface ListRevision {
  /** Undefined for the current revision. */
  readonly exact: number | undefined;
  readonly token: ContinueToken | undefined;
}

/** Throws for an invalid continue token or resourceVersion. */
function listRevisionOf(options: ListOptions, store: Store, isOne: boolean): ListRevision {
  if (options.continue !== "") {
    const at = continued(options, store);
    if (!isOne) return at;
  }
  const { resourceVersion, resourceVersionMatch: match, limit } = options;
  const requested = parseResourceVersion(resourceVersion, (problem) =>
    badRequestError(`invalid resource version: ${problem}`),
  );
  if (requested > store.revision) {
    // Only reads from a cache have a Retry-After.
    const retryAfterSeconds = isOne && match === "Exact" ? 0 : 1;
    throw tooLargeResourceVersionError(resourceVersion, store.revision, retryAfterSeconds);
  }
  // With a limit, an unspecified match means Exact.
  const isExact = match === "Exact" || (match === "" && limit > 0 && !isOne);
  return { exact: isExact && requested > 0 ? requested : undefined, token: undefined };
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
