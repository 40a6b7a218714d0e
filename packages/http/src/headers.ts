import type { HttpHeaders } from "./message.ts";

type OwnHeaders = Record<string, string | string[]>;

/** Hop-by-hop headers (RFC 9110, 7.6.1). */
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

/** The first value of a header. */
export function headerValue(headers: HttpHeaders, name: string): string | undefined {
  const value = headers[name];
  return typeof value === "object" ? value[0] : value;
}

/** A copy without hop-by-hop headers. */
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
 * The received headers without hop-by-hop ones. A repeated name has an array, because Kubernetes
 * reads each Impersonate-Group or X-Remote-Group line as one name.
 *
 * Removes headers named by the client's connection header here, before interceptors add others.
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

/** The requested protocol of an upgrade. */
export function upgradeProtocol(headers: HttpHeaders): string | undefined {
  const wanted = connectionOptions(headers.connection).includes("upgrade");
  return wanted ? headerValue(headers, "upgrade") : undefined;
}

/** Without a prototype, so that "constructor" and "__proto__" are ordinary names. */
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
