import type { HttpHeaders, HttpRequest } from "@rookery/http";
import { notAcceptableError, parseQuery } from "@rookery/kube";

/** The readable media types; for a star the server chooses JSON. */
const readable = /^\s*(?:\*\/\*|application\/(?:\*|json|vnd\.kubernetes\.protobuf))\s*(?:;|$)/i;

/**
 * Changes a request for all namespaces so that its response can be filtered. Throws a StatusError
 * if the client accepts no readable type.
 */
export function filterable(request: HttpRequest): HttpRequest {
  // Responses must be readable here.
  const { "accept-encoding": _, accept, ...kept } = request.headers;
  const query = withObjects(request.query);
  if (accept === undefined) return { ...request, query, headers: kept };
  const types = acceptedTypes(accept).filter(
    (type) => readable.test(type) && !hasLateMetadata(type),
  );
  if (types.length === 0) {
    throw notAcceptableError(["application/json", "application/vnd.kubernetes.protobuf"]);
  }
  return { ...request, query, headers: { ...kept, accept: types.join(",") } };
}

/** A Protobuf list whose metadata comes last. */
function hasLateMetadata(type: string): boolean {
  const [essence = "", ...parameters] = type.toLowerCase().split(";");
  return essence.includes("protobuf") && parameters.some((one) => one.trim() === "v=v1beta1");
}

function acceptedTypes(accept: NonNullable<HttpHeaders[string]>): string[] {
  return [accept].flat().join(",").split(",");
}

/**
 * Rows of a Table only have a namespace if their objects are included. Servers ignore the
 * parameter for other requests.
 */
function withObjects(query: string): string {
  const parameters = parseQuery(query);
  const found = parameters.get("includeObject");
  if (found === null || found === "Object" || found === "Metadata") return query;
  parameters.set("includeObject", "Metadata");
  return parameters.toString();
}

/** Servers read the first of several selectors. */
export function withFieldSelector(request: HttpRequest, selector: string): HttpRequest {
  return withSelector(request, "fieldSelector", selector);
}

/** Replaces the `continue` token. */
export function withContinue(
  { query, ...request }: HttpRequest,
  open: (token: string) => string,
): HttpRequest {
  const parameters = parseQuery(query);
  const token = parameters.get("continue");
  if (!token) return { ...request, query };
  parameters.set("continue", open(token));
  return { ...request, query: parameters.toString() };
}

export function withLabelSelector(request: HttpRequest, selector: string): HttpRequest {
  return selector === "" ? request : withSelector(request, "labelSelector", selector);
}

/** First, because a backslash or parenthesis at the end of the app's selector could change it. */
function withSelector(
  { query, ...request }: HttpRequest,
  name: string,
  selector: string,
): HttpRequest {
  const parameters = parseQuery(query);
  const own = parameters.get(name);
  parameters.set(name, own ? `${selector},${own}` : selector);
  return { ...request, query: parameters.toString() };
}
