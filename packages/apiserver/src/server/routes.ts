import type { Handler } from "@rookery/http";
import type { Delegation } from "../delegation.ts";
import { discoveryPaths } from "../discovery/discovery.ts";
import { type HealthCheck, healthPaths, type OnUnhealthy } from "../health/health.ts";
import { writeRawJson } from "../negotiation/encode.ts";
import { jsonMediaType } from "../negotiation/output.ts";
import type { createOpenApi } from "../openapi/serve.ts";
import { requestInfoOf } from "../request/request-context.ts";
import {
  pageNotFound,
  resourceHandler,
  unknownResource,
  unsupportedMethod,
} from "../resource/dispatch.ts";
import type { ResourceServices } from "../resource/exchange.ts";
import { GroupRegistry } from "../resource/registry.ts";
import type { ServedGroup } from "../resource/served-group.ts";
import type { VersionInfo } from "./version-info.ts";

export interface RouteOptions {
  readonly groups: readonly ServedGroup[];
  readonly services: ResourceServices;
  readonly version: VersionInfo;
  readonly livenessChecks: readonly HealthCheck[];
  readonly readinessChecks: readonly HealthCheck[];
  readonly onUnhealthy: OnUnhealthy;
  readonly paths: Readonly<Record<string, Handler>>;
  readonly openApi: ReturnType<typeof createOpenApi>;
  readonly delegation?: Delegation | undefined;
}

/** All routes behind the pipeline. Throws an InvalidGroupError. */
export function createRoutes(options: RouteOptions): Handler {
  const { groups, services, version, onUnhealthy } = options;
  const registry = new GroupRegistry(groups);
  const { delegation } = options;
  const openApi = options.openApi(groups, delegation?.openApiPaths());
  return createRouter({
    paths: new Map([
      ...healthPaths("healthz", options.livenessChecks, onUnhealthy),
      ...healthPaths("livez", options.livenessChecks, onUnhealthy),
      ...healthPaths("readyz", options.readinessChecks, onUnhealthy),
      ...Object.entries(options.paths),
    ]),
    documents: new Map([
      ...discoveryPaths(registry, delegation?.groups()),
      ["/version", () => writeRawJson(200, version)],
      ...openApi.paths,
    ]),
    prefixes: [openApi.prefix],
    resources: resourceHandler(registry, services),
    isServedGroup: (path) => {
      const [, root, group = ""] = path.split("/");
      if (root === "api") return registry.isBuiltIn("");
      return root === "apis" && registry.isBuiltIn(group);
    },
  });
}

interface Routes {
  /** Handlers of exact paths, for all methods. */
  readonly paths: ReadonlyMap<string, Handler>;
  /** Handlers of exact paths, for reads. */
  readonly documents: ReadonlyMap<string, Handler>;
  /** Handlers of prefixes; the longest match wins. */
  readonly prefixes: readonly (readonly [prefix: string, handler: Handler])[];
  readonly resources: Handler;
  /** Whether a path belongs to a built-in group. */
  readonly isServedGroup: (path: string) => boolean;
}

function createRouter(routes: Routes): Handler {
  const index = indexHandler(routes);
  return (request) => {
    const info = requestInfoOf(request);
    // RequestInfo ignores leading slashes, routing does not. A group without a name is not the core
    // group.
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

/** Ignores trailing slashes. */
function documentPath(path: string): string {
  if (path === "/") return path;
  return path.slice(0, path.search(/[^/]\/*$/) + 1);
}

/** The index of paths at "/". */
function indexHandler({ paths, documents }: Routes): Handler {
  const listed = [...paths.keys(), ...documents.keys()].toSorted();
  const body = Buffer.from(JSON.stringify({ paths: listed }, undefined, 2), "utf8");
  return () => ({ status: 200, headers: { "content-type": jsonMediaType }, body });
}
