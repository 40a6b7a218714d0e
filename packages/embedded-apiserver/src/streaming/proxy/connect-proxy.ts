import { posix } from "node:path";
import type { ConnectRequest, ServedConnect } from "@rookery/apiserver";
import { type HttpHeaders, type HttpResponse, headerValue, noLimits, peerKey } from "@rookery/http";
import { serviceUnavailableError } from "@rookery/kube";
import type { HttpClientPool } from "../../http-client-pool.ts";
import { goNetworkError } from "../../webhooks/go-network-error.ts";
import { type Locate, originOf, type ProxyLocation } from "./proxy-location.ts";

/** The proxy subresource of pods, services and nodes. */
export function connectProxy(locate: Locate, clients: HttpClientPool): ServedConnect {
  return {
    methods: ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"],
    takesPath: true,
    options: () => ({}),
    connect: (request) => proxyRequest(request, locate(request), clients),
  };
}

async function proxyRequest(
  request: ConnectRequest,
  location: ProxyLocation,
  clients: HttpClientPool,
): Promise<HttpResponse> {
  const { http, info } = request;
  const joined = joinKeepingSlash(request.subpath);
  const isUpgrade = headerValue(http.headers, "upgrade") !== undefined;
  // Relative links require the trailing slash.
  if (joined === "" && !isUpgrade && (http.method === "GET" || http.method === "HEAD")) {
    const query = http.query === "" ? "" : `?${http.query}`;
    return { status: 301, headers: { location: `${info.path}/${query}` } };
  }
  const path = joined === "" ? "/" : joined;
  const prefix = info.path.endsWith(path) ? info.path.slice(0, -path.length) : info.path;
  const headers = forwardedHeaders(request, joinForwarded(prefix, path));
  const origin = originOf(location);
  // Certificates are not verified, as in Kubernetes.
  const tls = { rejectUnauthorized: false };
  const { handler } = clients.get(origin, () => ({ origin, tls, limits: noLimits }));
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

/** The client's credentials are not forwarded. */
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

/** The address that the client used, for rewriting redirects. */
interface ProxiedAddress {
  /** The path up to the proxied server's own path. */
  readonly prefix: string;
  /** The proxied server's host. */
  readonly host: string;
  /** The host that the client requested. */
  readonly requestHost: string;
}

/** Rewrites a redirect of the proxied server; other locations stay unchanged. */
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

/** Like Go's path.Join; "" without parts. */
function joinPath(...parts: readonly string[]): string {
  const given = parts.filter((part) => part !== "");
  return given.length === 0 ? "" : posix.join(...given).replace(/(.)\/$/, "$1");
}

/** Like `joinPath`, keeping a trailing slash. */
function joinKeepingSlash(path: string): string {
  const joined = joinPath(path);
  return path.endsWith("/") && !joined.endsWith("/") ? `${joined}/` : joined;
}

/** Percent-encodes like Go. */
function escapePath(path: string): string {
  return encodeURI(path).replace(
    /[?#!'()*[\]]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
