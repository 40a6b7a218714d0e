import type { HttpHeaders } from "./message.ts";

type OwnHeaders = Record<string, string | string[]>;

/** Headers that speak of one connection only and are never passed on (RFC 9110, 7.6.1). */
const hopByHop: ReadonlySet<string> = new Set([
  "connection",
  "http2-settings",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

/** The value of a header; the first one where it was sent several times. */
export function headerValue(headers: HttpHeaders, name: string): string | undefined {
  const value = headers[name];
  return typeof value === "object" ? value[0] : value;
}

/** A copy without the headers that speak of the connection they came by. */
export function withoutHopByHop(headers: HttpHeaders): OwnHeaders {
  const kept = emptyHeaders();
  for (const name of Object.keys(headers)) {
    const value = headers[name];
    if (value === undefined || hopByHop.has(name)) continue;
    kept[name] = typeof value === "object" ? [...value] : value;
  }
  removeNamed(kept, headers.connection);
  return kept;
}

/**
 * The headers of a request as they came by the wire, without hop-by-hop ones: a name that was sent
 * once has a string, one that was sent several times an array. They are not joined with commas,
 * because Kubernetes takes each Impersonate-Group or X-Remote-Group line as one name.
 *
 * What a client names in its connection header is removed here, at the border: further in, that
 * would remove what interceptors have added.
 */
export function receivedHeaders(raw: readonly string[]): OwnHeaders {
  const headers = emptyHeaders();
  let connection: string | undefined;
  for (let i = 0; i + 1 < raw.length; i += 2) {
    const name = raw[i]?.toLowerCase() ?? "";
    const value = raw[i + 1] ?? "";
    if (name === "connection") connection = connection ? `${connection},${value}` : value;
    if (!name.startsWith(":") && !hopByHop.has(name)) addHeader(headers, name, value);
  }
  removeNamed(headers, connection);
  return headers;
}

/** To which protocol the headers ask to switch. */
export function upgradeProtocol(headers: HttpHeaders): string | undefined {
  const wanted = connectionOptions(headers.connection).includes("upgrade");
  return wanted ? headerValue(headers, "upgrade") : undefined;
}

/** Without a prototype: header names such as "constructor" and "__proto__" are names like others. */
function emptyHeaders(): OwnHeaders {
  return Object.create(null);
}

function addHeader(headers: OwnHeaders, name: string, value: string): void {
  const existing = headers[name];
  if (existing === undefined) headers[name] = value;
  // HTTP/2 may split a cookie header for better compression (RFC 9113, 8.2.3).
  else if (name === "cookie") headers[name] = `${existing}; ${value}`;
  else if (typeof existing === "string") headers[name] = [existing, value];
  else existing.push(value);
}

function removeNamed(headers: OwnHeaders, connection: HttpHeaders[string]): void {
  if (connection === undefined) return;
  for (const option of connectionOptions(connection)) delete headers[option];
}

function connectionOptions(connection: HttpHeaders[string]): string[] {
  if (connection === undefined) return [];
  const options = `${connection}`.toLowerCase().split(",");
  return options.map((option) => option.trim());
}
