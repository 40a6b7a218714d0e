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

/** Dispatches requests to the handlers of resources. */
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

/** Namespaced objects need a namespace, except in lists and watches. */
function isInScope({ resource, connect }: ResourceScope, info: RequestInfo): boolean {
  // Custom kinds ignore further segments after a subresource.
  if (info.parts.length > 3 && !connect?.takesPath && resource.dialect !== "custom") return false;
  if (resource.namespaced) return info.namespace !== "" || isOfAllNamespaces(info);
  return info.namespace === "" || isNamespaceItself(info);
}

function isOfAllNamespaces(info: RequestInfo): boolean {
  return info.verb === "watch" || (info.verb === "list" && !isObjectPath(info));
}

/** The path of a namespace object also sets the request's namespace. */
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
    // The path exists for lists over all namespaces.
    const isListed = resource?.namespaced && resource.handlers.list && info.namespace === "";
    throw isListed && !isObjectPath(info) ? unsupportedMethod() : unknownResource();
  }
  if (!resource || info.subresource === "" || !isInNamespace(resource.namespaced, info))
    return pageNotFound();
  throw notFoundError({ group: info.group, resource: info.resource }, info.name);
}

/** Whether the namespace segment is empty. */
function lacksNamespace({ verb, path }: RequestInfo): boolean {
  return /^(?:get|delete|deletecollection)$/.test(verb) && path.includes("/namespaces//");
}

function isInNamespace(namespaced: boolean, { namespace }: RequestInfo): boolean {
  return namespaced === (namespace !== "");
}

function unsupportedVerb(scope: ResourceScope, info: RequestInfo): StatusError {
  const resource = { group: scope.group, resource: scope.resource.plural };
  // A missing watch of a listable kind is reported as such.
  const listsOnly = info.verb === "watch" && scope.handlers.list !== undefined;
  if (scope.resource.dialect === "custom" || listsOnly) {
    return methodNotSupportedError(resource, info.verb);
  }
  const { get, update, delete: remove } = scope.handlers;
  // Legacy proxy and subresource watch paths do not exist.
  if (info.verb === "proxy" || (info.verb === "watch" && info.subresource !== "")) {
    return unknownResource();
  }
  // A subresource path exists if the parent has any verb.
  const hasObjects = Boolean(get ?? update ?? remove) || scope.subresource !== "";
  return isObjectPath(info) && !hasObjects ? unknownResource() : unsupportedMethod();
}

/** A 404 below a served version. */
export function unknownResource(): StatusError {
  const message = "the server could not find the requested resource";
  return statusError({ code: 404, reason: "NotFound", message, details: {} });
}

export function unsupportedMethod(): StatusError {
  const message = "the server does not allow this method on the requested resource";
  return statusError({ code: 405, reason: "MethodNotAllowed", message, details: {} });
}
