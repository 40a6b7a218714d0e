import type { Handler } from "@rookery/http";
import type { Delegation } from "../delegation.ts";
import { discoveryPaths } from "../discovery/discovery.ts";
import { type HealthCheck, healthPaths, type OnUnhealthy } from "../health/health.ts";
import { writeRawJson } from "../negotiation/encode.ts";
import type { createOpenApi } from "../openapi/serve.ts";
import { resourceHandler } from "../resource/dispatch.ts";
import type { ResourceServices } from "../resource/exchange.ts";
import { GroupRegistry } from "../resource/registry.ts";
import type { ServedGroup } from "../resource/served-group.ts";
import { createRouter } from "./router.ts";
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

/** Everything that a server serves behind its pipeline. Throws an InvalidGroupError. */
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
