import { posix } from "node:path";
import type { ConnectRequest, ServedConnect } from "@rookery/apiserver";
import { type HttpHeaders, type HttpResponse, headerValue, peerKey } from "@rookery/http";
import { serviceUnavailableError } from "@rookery/kube";
import { goNetworkError } from "../../webhooks/go-network-error.ts";
import type { ProxyClients } from "../target/proxy-clients.ts";
import { type Locate, originOf, type ProxyLocation } from "./proxy-location.ts";

/** The proxy subresource of pods, services and nodes: hands HTTP on to what listens there. */
export function connectProxy(locate: Locate, clients: ProxyClients): ServedConnect {
  return {
    methods: ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"],
    takesPath: true,
    options: () => ({}),
    connect: (request) => handOn(request, locate(request), clients),
  };
}

async function handOn(
  request: ConnectRequest,
  location: ProxyLocation,
  clients: ProxyClients,
): Promise<HttpResponse> {
  const { http, info } = request;
  const joined = joinKeepingSlash(request.subpath);
  const isUpgrade = headerValue(http.headers, "upgrade") !== undefined;
  // Relative links of a page need the slash.
  if (joined === "" && !isUpgrade && (http.method === "GET" || http.method === "HEAD")) {
    const query = http.query === "" ? "" : `?${http.query}`;
    return { status: 301, headers: { location: `${info.path}/${query}` } };
  }
  const path = joined === "" ? "/" : joined;
  const prefix = info.path.endsWith(path) ? info.path.slice(0, -path.length) : info.path;
  const headers = forwardedHeaders(request, joinForwarded(prefix, path));
  const { handler } = clients.clientOf(originOf(location));
  try {
    const response = await handler({ ...http, path: escapePath(path), headers });
    return {
      ...response,
      headers: returnedHeaders(response.headers, request, { prefix, location }),
    };
  } catch (error) {
    if (http.signal.aborted) throw error;
    const why = goNetworkError(error, location);
    throw serviceUnavailableError(`error trying to reach service: ${why}`);
  }
}

function joinForwarded(prefix: string, path: string): string {
  const joined = joinPath(prefix, escapePath(path));
  return path.endsWith("/") && !joined.endsWith("/") ? `${joined}/` : joined;
}

/** Nobody behind learns by which credentials a client came. */
const ownHeaders = /^(?:authorization$|impersonate-|x-remote-|audit-id$)/;

function forwardedHeaders({ http }: ConnectRequest, uri: string): HttpHeaders {
  const kept = Object.entries(http.headers).filter(([name]) => !ownHeaders.test(name));
  const earlier = [http.headers["x-forwarded-for"] ?? []].flat();
  const address = http.context.get(peerKey)?.address;
  return {
    ...Object.fromEntries(kept),
    "x-forwarded-uri": uri,
    ...(address && { "x-forwarded-for": [...earlier, address].join(", ") }),
  };
}

function returnedHeaders(
  headers: HttpHeaders,
  { http }: ConnectRequest,
  { prefix, location }: { readonly prefix: string; readonly location: ProxyLocation },
): HttpHeaders {
  const kept = Object.entries(headers).filter(([name]) => !/^access-control-allow-/.test(name));
  const to = headerValue(headers, "location");
  const at = {
    prefix,
    host: originOf(location).replace(/^https?:\/\//, ""),
    requestHost: headerValue(http.headers, "host") ?? "",
  };
  return { ...Object.fromEntries(kept), ...(to && { location: rewriteLocation(to, at) }) };
}

/** The address that a client used, as far as answers have to be led back to it. */
interface ProxiedAddress {
  /** The path before what is the server's own. */
  readonly prefix: string;
  /** Of the server behind. */
  readonly host: string;
  /** That the client asked for. */
  readonly requestHost: string;
}

/** Leads an address of the server behind through the proxy; those of others stay as they are. */
export function rewriteLocation(location: string, at: ProxiedAddress): string {
  const [, scheme = "", host = "", path = "", rest = ""] =
    /^([a-z][a-z0-9+.-]*:)?(?:\/\/([^/?#]*))?([^?#]*)(.*)$/is.exec(location) ?? [];
  const isOther = host !== "" && host !== at.host && host !== at.requestHost;
  if (isOther || !path.startsWith("/")) return location;
  const origin = host === at.requestHost && host !== "" ? `${scheme}//${host}` : "";
  if (path.startsWith(at.prefix)) return `${origin}${path}${rest}`;
  const joined = joinPath(at.prefix, path);
  const whole = path.endsWith("/") && !joined.endsWith("/") ? `${joined}/` : joined;
  return `${origin}${whole}${rest}`;
}

/** Joins as Go's path.Join does; "" where there is nothing to join. */
function joinPath(...parts: readonly string[]): string {
  const given = parts.filter((part) => part !== "");
  return given.length === 0 ? "" : posix.join(...given).replace(/(.)\/$/, "$1");
}

/** As `joinPath`, with a slash at the end where there was one. */
function joinKeepingSlash(path: string): string {
  const joined = joinPath(path);
  return path.endsWith("/") && !joined.endsWith("/") ? `${joined}/` : joined;
}

/** Percent-encodes a path as Go does. */
function escapePath(path: string): string {
  return encodeURI(path).replace(
    /[?#!'()*[\]]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
