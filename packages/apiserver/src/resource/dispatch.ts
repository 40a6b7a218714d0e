import type { Handler, HttpResponse } from "@rookery/http";
import {
  badRequestError,
  methodNotSupportedError,
  notFoundError,
  type RequestInfo,
  type StatusError,
  statusError,
} from "@rookery/kube";
import { writeText } from "../negotiation/encode.ts";
import { assertRepresentable } from "../negotiation/output.ts";
import { requestInfoOf, warningsKey } from "../request/request-context.ts";
import { connectVerb } from "./connect.ts";
import type { Exchange, ResourceServices } from "./exchange.ts";
import type { GroupRegistry, ResourceScope } from "./registry.ts";
import type { ServedConnect } from "./served-group.ts";
import { isObjectPath, verbHandlersOf } from "./verbs.ts";

/** Leads requests for resources to the functions of these. */
export function resourceHandler(registry: GroupRegistry, services: ResourceServices): Handler {
  return (http) => {
    const info = requestInfoOf(http);
    const scope = registry.scope(info);
    if (scope === undefined || !isInScope(scope, info)) return unknownPath(registry, info);
    const warnings = http.context.get(warningsKey);
    for (const text of scope.resource.warnings ?? []) warnings?.add(text);
    if (scope.connect) return connectTo(scope.connect, { http, scope, services });
    const handlers = verbHandlersOf(scope, info);
    const handle = Object.hasOwn(handlers, info.verb) ? handlers[info.verb] : undefined;
    if (!handle) throw unsupportedVerb(scope, info);
    if (scope.resource.dialect !== "custom") {
      assertRepresentable(http, info.verb === "list" || info.verb === "watch");
    }
    return handle({ http, scope, services });
  };
}

function connectTo(connect: ServedConnect, exchange: Exchange): Promise<HttpResponse> {
  if (!connect.methods.includes(exchange.http.method)) throw unsupportedMethod();
  return connectVerb(connect)(exchange);
}

/** Objects that have namespaces are found in one; only lists and watches may go over all. */
function isInScope({ resource, connect }: ResourceScope, info: RequestInfo): boolean {
  // Of a custom kind's path, what comes after a subresource is not looked at.
  if (info.parts.length > 3 && !connect?.takesPath && resource.dialect !== "custom") return false;
  if (resource.namespaced) return info.namespace !== "" || isOfAllNamespaces(info);
  return info.namespace === "" || isNamespaceItself(info);
}

function isOfAllNamespaces(info: RequestInfo): boolean {
  return info.verb === "watch" || (info.verb === "list" && !isObjectPath(info));
}

/** A path to a namespace says its name as a namespace, too. */
function isNamespaceItself({ parts }: RequestInfo): boolean {
  return parts[0] === "namespaces";
}

export function pageNotFound(): HttpResponse {
  return writeText(404, "404 page not found\n");
}

function unknownPath(registry: GroupRegistry, info: RequestInfo): HttpResponse {
  const version = registry.version(info.group, info.version);
  if (version === undefined) {
    const isAtItsPrefix = (info.group === "") === (info.apiPrefix === "api");
    if (isAtItsPrefix && registry.isBuiltIn(info.group)) throw unknownResource();
    return pageNotFound();
  }
  const resource = version.resources.find(({ plural }) => plural === info.resource);
  const dialects = resource ? [resource.dialect] : version.resources.map(({ dialect }) => dialect);
  if (!dialects.every((dialect) => dialect === "custom")) {
    if (resource?.namespaced && lacksNamespace(info)) {
      throw badRequestError("Namespace parameter required.");
    }
    // All namespaces together can be listed, so that the path is there.
    const isListed = resource?.namespaced && resource.handlers.list && info.namespace === "";
    throw isListed && !isObjectPath(info) ? unsupportedMethod() : unknownResource();
  }
  if (!resource || info.subresource === "" || !isInNamespace(resource.namespaced, info))
    return pageNotFound();
  throw notFoundError({ group: info.group, resource: info.resource }, info.name);
}

/** The segment of the namespace is there, and empty. */
function lacksNamespace({ verb, path }: RequestInfo): boolean {
  return /^(?:get|delete|deletecollection)$/.test(verb) && path.includes("/namespaces//");
}

function isInNamespace(namespaced: boolean, { namespace }: RequestInfo): boolean {
  return namespaced === (namespace !== "");
}

function unsupportedVerb(scope: ResourceScope, info: RequestInfo): StatusError {
  const resource = { group: scope.group, resource: scope.resource.plural };
  // The list of a kind answers for its watch.
  const listsOnly = info.verb === "watch" && scope.handlers.list !== undefined;
  if (scope.resource.dialect === "custom" || listsOnly) {
    return methodNotSupportedError(resource, info.verb);
  }
  const { get, update, delete: remove } = scope.handlers;
  // No old path leads to a proxy any more, nor to a watch of a part of an object.
  if (info.verb === "proxy" || (info.verb === "watch" && info.subresource !== "")) {
    return unknownResource();
  }
  // A path to a part of an object is there by whatever can be done with it.
  const hasObjects = Boolean(get ?? update ?? remove) || scope.subresource !== "";
  return isObjectPath(info) && !hasObjects ? unknownResource() : unsupportedMethod();
}

/** A path below a version that is served, where nothing is. */
export function unknownResource(): StatusError {
  const message = "the server could not find the requested resource";
  return statusError({ code: 404, reason: "NotFound", message, details: {} });
}

/** A method that a path does not have. */
export function unsupportedMethod(): StatusError {
  const message = "the server does not allow this method on the requested resource";
  return statusError({ code: 405, reason: "MethodNotAllowed", message, details: {} });
}
