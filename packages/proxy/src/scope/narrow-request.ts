import type { HttpHeaders, HttpRequest } from "@rookery/http";
import { notAcceptableError } from "@rookery/kube";

/** Of what a client takes, what can be read here; a star leaves it to the server, which takes JSON. */
const readable = /^\s*(?:\*\/\*|application\/(?:\*|json|vnd\.kubernetes\.protobuf))\s*(?:;|$)/i;
const table = /;\s*as=Table\b/i;

/**
 * The request for objects in all namespaces, in a form whose answer can be filtered. Throws a
 * StatusError where the client takes none that can.
 */
export function filterable(request: HttpRequest): HttpRequest {
  // Answers are asked for unpacked: what is near is sooner sent than packed.
  const { "accept-encoding": _, accept, ...kept } = request.headers;
  if (accept === undefined) return { ...request, headers: kept };
  const types = acceptedTypes(accept).filter((type) => readable.test(type));
  if (types.length === 0) {
    throw notAcceptableError(["application/json", "application/vnd.kubernetes.protobuf"]);
  }
  const query = types.some((type) => table.test(type)) ? withObjects(request.query) : request.query;
  return { ...request, query, headers: { ...kept, accept: types.join(",") } };
}

function acceptedTypes(accept: NonNullable<HttpHeaders[string]>): string[] {
  return [accept].flat().join(",").split(",");
}

/** Rows of a Table tell their namespace only where their objects come along. */
function withObjects(query: string): string {
  const others = pairsOf(query).filter((pair) => keyOf(pair) !== "includeObject");
  const found = new URLSearchParams(query).get("includeObject");
  return [...others, `includeObject=${found === "Object" ? found : "Metadata"}`].join("&");
}

/** Adds to what a query selects by; of several selectors, servers read the first. */
export function withFieldSelector(
  { query, ...request }: HttpRequest,
  selector: string,
): HttpRequest {
  const own = new URLSearchParams(query).get("fieldSelector");
  const others = pairsOf(query).filter((pair) => keyOf(pair) !== "fieldSelector");
  const both = own ? `${encodeURIComponent(own)},${selector}` : selector;
  return { ...request, query: [...others, `fieldSelector=${both}`].join("&") };
}

function pairsOf(query: string): string[] {
  return query === "" ? [] : query.split("&");
}

function keyOf(pair: string): string | undefined {
  const [key] = new URLSearchParams(pair).keys();
  return key;
}
