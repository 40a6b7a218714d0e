import type { HttpHeaders, HttpRequest } from "@rookery/http";
import { notAcceptableError, parseQuery } from "@rookery/kube";

/** Of what a client takes, what can be read here; a star leaves it to the server, which takes JSON. */
const readable = /^\s*(?:\*\/\*|application\/(?:\*|json|vnd\.kubernetes\.protobuf))\s*(?:;|$)/i;

/**
 * The request for objects in all namespaces, in a form whose answer can be filtered. Throws a
 * StatusError where the client takes none that can.
 */
export function filterable(request: HttpRequest): HttpRequest {
  // Answers are asked for unpacked: what is near is sooner sent than packed.
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

/** A list in Protobuf whose metadata, with its token, comes last. */
function hasLateMetadata(type: string): boolean {
  const [essence = "", ...parameters] = type.toLowerCase().split(";");
  return essence.includes("protobuf") && parameters.some((one) => one.trim() === "v=v1beta1");
}

function acceptedTypes(accept: NonNullable<HttpHeaders[string]>): string[] {
  return [accept].flat().join(",").split(",");
}

/**
 * Rows of a Table tell their namespace only where their objects come along. Servers look at it for Tables
 * alone, and may see one in an Accept header in which nobody here would.
 */
function withObjects(query: string): string {
  const parameters = parseQuery(query);
  const found = parameters.get("includeObject");
  if (found === null || found === "Object" || found === "Metadata") return query;
  parameters.set("includeObject", "Metadata");
  return parameters.toString();
}

/** Adds to what a query selects by; of several selectors, servers read the first. */
export function withFieldSelector(request: HttpRequest, selector: string): HttpRequest {
  return withSelector(request, "fieldSelector", selector);
}

/** With another token in place of that with which a list goes on. */
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

/** What is added comes first: at its end, a backslash or a parenthesis of the app's could take it in. */
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
