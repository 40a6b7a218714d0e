import { asksForWatch, type PathParts, splitPath, type Target } from "@rookery/group-suffix";
import {
  discardBody,
  type Handler,
  type HttpRequest,
  type HttpResponse,
  type Interceptor,
} from "@rookery/http";
import { findStatusError, type StatusError } from "@rookery/kube";
import type { ListenerMetrics } from "../observe/proxy-metrics.ts";
import { statusResponse } from "../status-response.ts";
import { exclusionSelector } from "./exclusion.ts";
import { filterResponse } from "./filter-response.ts";
import type { Kinds } from "./kinds.ts";
import { filterable, withFieldSelector } from "./narrow-request.ts";
import { type Asked, deletionTooWide, notThere, outOfScope, storedVersions } from "./refusals.ts";
import { createVisibility, type NarrowScope, type Visibility } from "./visibility.ts";

export interface NarrowOptions {
  readonly scope: NarrowScope;
  /** Where the app lives; undefined where that is not known. */
  readonly ownNamespace: string | undefined;
  /** The namespaces that there are, as far as it is known: what is missing costs bytes alone. */
  readonly knownNamespaces: () => readonly string[];
  readonly kinds: Kinds;
  readonly metrics: Pick<ListenerMetrics, "narrowed">;
}

interface Narrowing extends NarrowOptions {
  readonly visibility: Visibility;
}

/**
 * Lets an app see the namespaces of a scope alone.
 *
 * Guarantees: a list or watch of all namespaces is one such request to the server, so that
 * resourceVersions, bookmarks, `continue` and 410 are the server's own; no object of another
 * namespace passes in it. Requests about another namespace get a 403. Cluster-scoped kinds pass, but
 * for the status of definitions, which says in which versions objects are stored.
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

/** Rejects with a StatusError where the request is refused. */
async function narrow(
  request: HttpRequest,
  next: Handler,
  narrowing: Narrowing,
): Promise<HttpResponse> {
  const parts = splitPath(request.path);
  if (parts === undefined) throw notThere();
  const { target } = parts;
  if (target?.resource === undefined) return next(request);
  const refusal = refusalOf(request, parts, narrowing);
  if (refusal !== undefined) throw refusal;
  if (parts.namespace !== undefined || parts.nameAt !== undefined) return next(request);
  return ofAllNamespaces(request, next, { narrowing, target, parts });
}

function refusalOf(
  { method }: HttpRequest,
  parts: PathParts,
  { visibility }: Narrowing,
): StatusError | undefined {
  const { target, namespace } = parts;
  if (target === undefined) return undefined;
  if (namespace !== undefined && !visibility.mayUse(namespace)) {
    const isAllowed = isEventOfCluster(method, target, namespace);
    return isAllowed ? undefined : outOfScope(askedFor(parts, target, visibility), namespace);
  }
  const isStatus = isDefinition(target) && target.subresource === "status";
  return isStatus && !isRead(method)
    ? storedVersions(askedFor(parts, target, visibility))
    : undefined;
}

function askedFor({ segments, nameAt }: PathParts, target: Target, { scope }: Visibility): Asked {
  return { target, scope, name: nameAt === undefined ? "" : (segments[nameAt] ?? "") };
}

interface Question {
  readonly narrowing: Narrowing;
  readonly target: Target;
  readonly parts: PathParts;
}

async function ofAllNamespaces(
  request: HttpRequest,
  next: Handler,
  { narrowing, target, parts }: Question,
): Promise<HttpResponse> {
  const { kinds, visibility, metrics } = narrowing;
  const deletes = request.method === "DELETE";
  if (!isRead(request.method) && !deletes) return next(request);
  const kindScope = await kinds.scopeOf(target);
  if (kindScope === "cluster") return next(request);
  if (deletes) throw deletionTooWide(askedFor(parts, target, visibility));
  const seen = visibility.seenOf(target);
  const asked = filterable(request);
  // A server refuses the selector for a kind that is in no namespace.
  const selector = kindScope === "namespaced" ? exclusionSelector(seen, narrowing) : "";
  const isWatch = parts.isWatchPath || asksForWatch(request.query);
  const response = await askNarrowly(asked, next, selector);
  return filterResponse(response, { isWatch, keep: seen.has, onObjects: metrics.narrowed });
}

/** An aggregated API may know no such selector, and what stands before a server no such long URL. */
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

function isRead(method: string): boolean {
  return method === "GET" || method === "HEAD";
}

function isDefinition({ group, resource }: Target): boolean {
  return group === "apiextensions.k8s.io" && resource === "customresourcedefinitions";
}

/** What is told of cluster-scoped objects is told in this namespace, whoever watches it. */
function isEventOfCluster(method: string, { group, resource }: Target, namespace: string): boolean {
  const isEvent = resource === "events" && (group === "" || group === "events.k8s.io");
  return isEvent && namespace === "default" && !isRead(method) && method !== "DELETE";
}
