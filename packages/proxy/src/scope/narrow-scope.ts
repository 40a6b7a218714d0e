import {
  discardBody,
  type Handler,
  type HttpRequest,
  type HttpResponse,
  type Interceptor,
} from "@rookery/http";
import {
  canonicalRequest,
  findStatusError,
  type RequestInfo,
  unknownPathError,
} from "@rookery/kube";
import type { ListenerMetrics } from "../observe/proxy-metrics.ts";
import { statusResponse } from "../status-response.ts";
import { checkBody } from "./check-body.ts";
import { createContinueTokens } from "./continue-tokens.ts";
import { exclusionSelector } from "./exclusion.ts";
import { filterResponse } from "./filter-response.ts";
import type { Kinds } from "./kinds.ts";
import {
  filterable,
  withContinue,
  withFieldSelector,
  withLabelSelector,
} from "./narrow-request.ts";
import { isNamespaces, refusalOf } from "./policies.ts";
import { deletionTooWide } from "./refusals.ts";
import { createVisibility, type NarrowScope, type Visibility } from "./visibility.ts";

export interface NarrowOptions {
  readonly scope: NarrowScope;
  /** The app's namespace; undefined where unknown. */
  readonly ownNamespace: string | undefined;
  /** The known namespaces; missing ones only cost bytes. */
  readonly knownNamespaces: () => readonly string[];
  readonly kinds: Kinds;
  /** The key that seals `continue` tokens. */
  readonly continueKey: Uint8Array;
  readonly metrics: Pick<ListenerMetrics, "narrowed">;
}

interface Narrowing extends NarrowOptions {
  readonly visibility: Visibility;
}

/**
 * Lets an app see the namespaces of a scope alone.
 *
 * Guarantees: each request is read once, as kube-apiserver reads it, and goes on in the form in which it
 * was understood; what was not is refused. A list or watch of all namespaces is one such request to the
 * server, so that resourceVersions, bookmarks and 410 are the server's own; no object of another
 * namespace passes in it, and no `continue` token names one. Requests about another namespace, its Namespace object included, get a
 * 403. Other cluster-scoped kinds pass, but for what reaches the objects of all namespaces: the deletion
 * of a definition, its status, which says in which versions objects are stored, and a node's proxy.
 */
export function narrowScope(options: NarrowOptions): Interceptor {
  const { scope, ownNamespace } = options;
  const narrowing = { ...options, visibility: createVisibility(scope, ownNamespace) };
  return (next) => async (request) => {
    try {
      return await narrow(request, next, narrowing);
    } catch (error) {
      const known = findStatusError(error);
      if (known === undefined) throw error;
      await discardBody(request.body);
      return statusResponse(known);
    }
  };
}

/** Rejects with a StatusError. */
async function narrow(
  request: HttpRequest,
  next: Handler,
  narrowing: Narrowing,
): Promise<HttpResponse> {
  const { visibility } = narrowing;
  const { info, path } = canonicalRequest(request);
  const refusal = refusalOf(request, info, visibility);
  if (refusal !== undefined) throw refusal;
  const asked = await checkBody({ ...request, path }, info, visibility);
  if (!info.isResourceRequest || info.namespace !== "") return next(asked);
  const isList = info.verb === "list" || info.verb === "watch";
  if (isNamespaces(info)) {
    return next(isList ? withLabelSelector(asked, visibility.namespacesSelector) : asked);
  }
  return isList
    ? listAll(asked, next, { narrowing, info })
    : ofCluster(asked, next, { narrowing, info });
}

interface Question {
  readonly narrowing: Narrowing;
  readonly info: RequestInfo;
}

/** Requests without a namespace pass only for cluster-scoped kinds. */
async function ofCluster(
  request: HttpRequest,
  next: Handler,
  { narrowing: { kinds, visibility }, info }: Question,
): Promise<HttpResponse> {
  if ((await kinds.settledScopeOf(info)) === "cluster") return next(request);
  if (info.verb === "deletecollection") throw deletionTooWide({ info, scope: visibility.scope });
  throw unknownPathError();
}

async function listAll(
  request: HttpRequest,
  next: Handler,
  { narrowing, info }: Question,
): Promise<HttpResponse> {
  const { kinds, visibility, metrics, continueKey } = narrowing;
  const kindScope = await kinds.scopeOf(info);
  // CRDs cannot change the core group.
  if (kindScope === "cluster" && info.group === "") return next(request);
  if (kindScope === "namespaced" && info.parts.length > 1) throw unknownPathError();
  const seen = visibility.seenOf(info);
  const { type, namespaces } = visibility.scope;
  const { seal, open } = createContinueTokens(continueKey, [request.path, type, namespaces]);
  const asked = withContinue(filterable(request), open);
  // Servers reject the selector for cluster-scoped kinds.
  const selector = kindScope === "namespaced" ? exclusionSelector(seen, narrowing) : "";
  const response = await askNarrowly(asked, next, selector);
  const isWatch = info.verb === "watch";
  return filterResponse(response, { isWatch, keep: seen.has, seal, onObjects: metrics.narrowed });
}

/** Aggregated APIs may reject the selector, and proxies the long URL. */
const refusedSelector: ReadonlySet<number> = new Set([400, 414, 431]);

async function askNarrowly(
  request: HttpRequest,
  next: Handler,
  selector: string,
): Promise<HttpResponse> {
  if (selector === "") return next(request);
  const response = await next(withFieldSelector(request, selector));
  if (!refusedSelector.has(response.status)) return response;
  await discardBody(response.body);
  return next(request);
}
