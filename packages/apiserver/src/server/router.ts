import type { Handler } from "@rookery/http";
import { jsonMediaType } from "../negotiation/output.ts";
import { requestInfoOf } from "../request/request-context.ts";
import { pageNotFound, unknownResource, unsupportedMethod } from "../resource/dispatch.ts";

export interface Routes {
  /** Handlers of single paths, whatever the method. */
  readonly paths: ReadonlyMap<string, Handler>;
  /** Handlers of single paths that only read. */
  readonly documents: ReadonlyMap<string, Handler>;
  /** Everything below these: the longest prefix counts. */
  readonly prefixes: readonly (readonly [prefix: string, handler: Handler])[];
  readonly resources: Handler;
  /** Whether a path lies below a group whose kinds are compiled in. */
  readonly isServedGroup: (path: string) => boolean;
}

/** Leads a request to what serves its path. */
export function createRouter(routes: Routes): Handler {
  const index = indexHandler(routes);
  return (request) => {
    const info = requestInfoOf(request);
    // RequestInfo reads over slashes at the beginning, and what leads to handlers does not. Nor is a
    // group without a name the core group.
    if (/^\/(?:apis\/)?\//.test(info.path)) return pageNotFound();
    if (info.isResourceRequest) return routes.resources(request);
    const handler = routes.paths.get(info.path);
    if (handler) return handler(request);
    const path = documentPath(info.path);
    const document = routes.documents.get(path) ?? (path === "/" ? index : undefined);
    const below = document ?? routes.prefixes.find(([prefix]) => path.startsWith(prefix))?.[1];
    if (below === undefined) {
      if (routes.isServedGroup(request.path)) throw unknownResource();
      return pageNotFound();
    }
    if (request.method !== "GET" && request.method !== "HEAD") throw unsupportedMethod();
    return below(request);
  };
}

/** Slashes at the end of a document's path count for nothing. */
function documentPath(path: string): string {
  if (path === "/") return path;
  return path.slice(0, path.search(/[^/]\/*$/) + 1);
}

/** What there is to be seen, at "/". */
function indexHandler({ paths, documents }: Routes): Handler {
  const listed = [...paths.keys(), ...documents.keys()].toSorted();
  const body = Buffer.from(JSON.stringify({ paths: listed }, undefined, 2), "utf8");
  return () => ({ status: 200, headers: { "content-type": jsonMediaType }, body });
}
