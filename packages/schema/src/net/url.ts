import { messageOf } from "@rookery/errors";
import { quote } from "@rookery/kube";
import { parseIpAddress } from "./ip-address.ts";

/** A URL as parsed by Go's net/url, which differs from WHATWG's URL. */
export interface ParsedUrl {
  readonly scheme: string;
  readonly host: string;
  readonly escapedPath: string;
  readonly query: string;
  /** The whole URL with the scheme in lower case. */
  readonly text: string;
}

/** In Go's words without the URL itself. */
class UrlError extends Error {}

/** As Go's url.ParseRequestURI: an absolute URL or path. Throws an Error in Go's words. */
export function parseRequestUri(text: string): ParsedUrl {
  return parse(text, true);
}

export function isRequestUri(text: string): boolean {
  try {
    parseRequestUri(text);
    return true;
  } catch {
    return false;
  }
}

/** As Go's url.Parse, with an optional fragment. Throws an Error in Go's words. */
export function parseUrl(text: string): ParsedUrl {
  const hash = text.indexOf("#");
  return parse(hash === -1 ? text : text.slice(0, hash), false);
}

function parse(text: string, viaRequest: boolean): ParsedUrl {
  try {
    return parseParts(text, viaRequest);
  } catch (error) {
    if (!(error instanceof UrlError)) throw error;
    throw new Error(`parse ${quote(text)}: ${error.message}`);
  }
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROL = /[\x00-\x1f\x7f]/;

function parseParts(text: string, viaRequest: boolean): ParsedUrl {
  if (CONTROL.test(text)) throw new UrlError("net/url: invalid control character in URL");
  if (text === "" && viaRequest) throw new UrlError("empty url");
  const { scheme, rest: afterScheme } = splitScheme(text);
  const question = afterScheme.indexOf("?");
  const query = question === -1 ? "" : afterScheme.slice(question + 1);
  const rest = question === -1 ? afterScheme : afterScheme.slice(0, question);
  const whole = scheme === "" ? text : `${scheme}:${afterScheme}`;
  const base = { scheme, host: "", escapedPath: "", query, text: whole };
  if (text === "*") return { ...base, escapedPath: "*" };
  if (!rest.startsWith("/")) {
    if (scheme !== "") return base;
    checkRelative(rest, viaRequest);
  }
  const hasAuthority =
    rest.startsWith("//") && (scheme !== "" || (!viaRequest && !rest.startsWith("///")));
  if (!hasAuthority) return { ...base, escapedPath: escapePath(rest) };
  const slash = rest.indexOf("/", 2);
  const authority = rest.slice(2, slash === -1 ? undefined : slash);
  const path = slash === -1 ? "" : rest.slice(slash);
  return { ...base, host: parseAuthority(authority), escapedPath: escapePath(path) };
}

function splitScheme(text: string): { readonly scheme: string; readonly rest: string } {
  if (text.startsWith(":")) throw new UrlError("missing protocol scheme");
  const match = /^([a-zA-Z][a-zA-Z0-9+.-]*):/.exec(text);
  if (!match?.[1]) return { scheme: "", rest: text };
  return { scheme: match[1].toLowerCase(), rest: text.slice(match[0].length) };
}

function checkRelative(rest: string, viaRequest: boolean): void {
  if (viaRequest) throw new UrlError("invalid URI for request");
  if (rest.split("/", 1)[0]?.includes(":")) {
    throw new UrlError("first path segment in URL cannot contain colon");
  }
}

function parseAuthority(authority: string): string {
  const at = authority.lastIndexOf("@");
  const host = parseHost(authority.slice(at + 1));
  if (at === -1) return host;
  const user = authority.slice(0, at);
  if (!/^[A-Za-z0-9\-._:~!$&'()*+,;=%@]*$/.test(user)) {
    throw new UrlError("net/url: invalid userinfo");
  }
  checkEscapes(user);
  return host;
}

function parseHost(host: string): string {
  const bracket = host.lastIndexOf("[");
  if (bracket > 0) throw new UrlError("invalid IP-literal");
  if (bracket === 0) return parseBracketedHost(host);
  const colon = host.lastIndexOf(":");
  if (colon !== -1) checkPort(host.slice(colon));
  return unescapeHost(host);
}

function parseBracketedHost(host: string): string {
  const close = host.lastIndexOf("]");
  if (close < 0) throw new UrlError("missing ']' in host");
  checkPort(host.slice(close + 1));
  const name = unescapeHost(host.slice(1, close));
  if (familyOf(name) === 4) throw new UrlError("invalid IP-literal");
  return `[${name}]${host.slice(close + 1)}`;
}

function familyOf(name: string): 4 | 6 {
  try {
    return parseIpAddress(name).family;
  } catch (error) {
    throw new UrlError(`invalid host: ${messageOf(error)}`);
  }
}

function checkPort(port: string): void {
  if (!/^(?::[0-9]*)?$/.test(port)) throw new UrlError(`invalid port ${quote(port)} after host`);
}

function unescapeHost(host: string): string {
  checkEscapes(host);
  const early = /%(?!25)[0-7][0-9a-fA-F]/.exec(host);
  if (early) throw new UrlError(`invalid URL escape ${quote(early[0])}`);
  const strange = /[^A-Za-z0-9!$&'()*+,;=:[\]<>"\-_.~%\u0080-\u{10ffff}]/u.exec(host);
  if (strange) throw new UrlError(`invalid character ${quote(strange[0])} in host name`);
  return percentDecode(host);
}

function checkEscapes(text: string): void {
  const bad = /%(?![0-9a-fA-F]{2})[\s\S]{0,2}/.exec(text);
  if (bad) throw new UrlError(`invalid URL escape ${quote(bad[0])}`);
}

function escapePath(path: string): string {
  checkEscapes(path);
  return path.replace(/[^A-Za-z0-9\-_.~!$&'()*+,;=:@/[\]%]+/g, (run) => encodeURIComponent(run));
}

function percentDecode(text: string): string {
  return text.replace(/(?:%[0-9a-fA-F]{2})+/g, (run) => {
    const bytes = Uint8Array.from(run.slice(1).split("%"), (hex) => Number.parseInt(hex, 16));
    return new TextDecoder().decode(bytes);
  });
}

/** The host without port and brackets, and the port. */
export function splitHostPort(host: string): { readonly hostname: string; readonly port: string } {
  const match = /:([0-9]*)$/.exec(host);
  const name = match ? host.slice(0, match.index) : host;
  const bracketed = name.startsWith("[") && name.endsWith("]");
  return { hostname: bracketed ? name.slice(1, -1) : name, port: match?.[1] ?? "" };
}

/** Parameters that cannot be decoded are left out. */
export function parseQuery(query: string): ReadonlyMap<string, readonly string[]> {
  const parameters = new Map<string, string[]>();
  for (const pair of query.split("&")) {
    if (pair === "" || pair.includes(";") || /%(?![0-9a-fA-F]{2})/.test(pair)) continue;
    const equals = pair.indexOf("=");
    const key = decodeQuery(equals === -1 ? pair : pair.slice(0, equals));
    const value = equals === -1 ? "" : decodeQuery(pair.slice(equals + 1));
    parameters.set(key, [...(parameters.get(key) ?? []), value]);
  }
  return parameters;
}

function decodeQuery(text: string): string {
  return percentDecode(text.replaceAll("+", " "));
}
