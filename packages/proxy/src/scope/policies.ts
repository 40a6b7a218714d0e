import { type HttpRequest, upgradeProtocol } from "@rookery/http";
import {
  methodNotSupportedError,
  notFoundError,
  type RequestInfo,
  type StatusError,
  unknownPathError,
} from "@rookery/kube";
import {
  definitionOfOthers,
  deletionTooWide,
  hiddenPath,
  outOfScope,
  storedVersions,
  throughNode,
  upgradeTooWide,
} from "./refusals.ts";
import type { Visibility } from "./visibility.ts";

/** Paths without objects: discovery, OpenAPI, health, versions, keys. */
const openPaths: ReadonlySet<string> = new Set([
  ...["", "api", "apis", "openapi", "version", "healthz", "livez", "readyz"],
  ...[".well-known", "openid"],
]);

/** The refusal of a request by its first line and headers; undefined where it may pass. */
export function refusalOf(
  request: HttpRequest,
  info: RequestInfo,
  { scope, mayUse }: Visibility,
): StatusError | undefined {
  const asked = { info, scope };
  if (!info.isResourceRequest) return isOpen(info) ? undefined : hiddenPath(asked);
  if (info.resource === "" || info.verb === "proxy") return unknownPathError();
  if (!isServedMethod(request.method, info)) return methodNotSupportedError(info, request.method);
  if (info.namespace !== "" && !mayUse(info.namespace)) {
    return isEventOfCluster(info) ? refusalOfEvent(info) : outOfScope(asked, info.namespace);
  }
  const upgrades = upgradeProtocol(request.headers) !== undefined;
  if (upgrades && !isTunnel(info)) return upgradeTooWide(asked);
  if (info.namespace !== "") return undefined;
  // A node's kubelet behind "proxy" reaches the pods of all namespaces.
  if (info.subresource === "proxy") return throughNode(asked);
  if (isNamespaces(info) && info.verb === "deletecollection") return deletionTooWide(asked);
  return isDefinition(info) ? refusalOfDefinition(asked) : undefined;
}

function isOpen({ path }: RequestInfo): boolean {
  return openPaths.has(path.split("/")[1] ?? "");
}

/** Old watch paths ignore the method. "proxy" also accepts OPTIONS. */
function isServedMethod(method: string, { verb, namespace, subresource }: RequestInfo): boolean {
  if (verb === "watch") return isRead(method);
  return verb !== "" || (method === "OPTIONS" && namespace !== "" && subresource === "proxy");
}

/** Connections to one object: exec, attach, port-forward, proxy, and those of aggregated APIs. */
function isTunnel({ namespace, name, subresource, verb }: RequestInfo): boolean {
  return namespace !== "" && name !== "" && subresource !== "" && verb !== "watch";
}

function refusalOfDefinition(asked: Parameters<typeof storedVersions>[0]): StatusError | undefined {
  const { verb, subresource } = asked.info;
  if (verb === "delete" || verb === "deletecollection") return definitionOfOthers(asked);
  const isWrite = verb === "update" || verb === "patch";
  return isWrite && subresource === "status" ? storedVersions(asked) : undefined;
}

/** Events of cluster-scoped objects are in this namespace. */
export function isEventOfCluster({ group, resource, namespace, verb }: RequestInfo): boolean {
  const isEvent = resource === "events" && (group === "" || group === "events.k8s.io");
  return isEvent && namespace === "default" && (verb === "create" || verb === "patch");
}

/** A recorder creates a missing event. Patching would reveal the existing one. */
function refusalOfEvent({ verb, group, resource, name }: RequestInfo): StatusError | undefined {
  return verb === "patch" ? notFoundError({ group, resource }, name) : undefined;
}

export function isNamespaces({ group, resource }: RequestInfo): boolean {
  return group === "" && resource === "namespaces";
}

function isDefinition({ group, resource }: RequestInfo): boolean {
  return group === "apiextensions.k8s.io" && resource === "customresourcedefinitions";
}

function isRead(method: string): boolean {
  return method === "GET" || method === "HEAD";
}
