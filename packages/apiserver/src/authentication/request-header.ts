import { type HttpHeaders, headerValue, peerKey } from "@rookery/http";
import { AuthenticationError } from "../errors.ts";
import type { Authenticator } from "./authenticator.ts";
import type { CertificateVerifier } from "./certificate-verifier.ts";

/** The trusted front proxies and their headers. */
export interface RequestHeaderConfig {
  /** The front-proxy CA bundle in PEM. */
  readonly clientCa: string;
  /** Allowed common names of proxy certificates; any if empty. */
  readonly allowedNames: readonly string[];
  readonly usernameHeaders: readonly string[];
  readonly uidHeaders: readonly string[];
  readonly groupHeaders: readonly string[];
  readonly extraHeaderPrefixes: readonly string[];
}

export interface RequestHeaderOptions {
  /** Undefined while no front proxy is known. */
  readonly config: () => RequestHeaderConfig | undefined;
  readonly verify: CertificateVerifier;
}

/**
 * The user in the headers of a front proxy. Requires a client certificate of the front-proxy CA
 * with an allowed name.
 */
export function createRequestHeaderAuthenticator(options: RequestHeaderOptions): Authenticator {
  return ({ context, headers }) => {
    const certificate = context.get(peerKey)?.certificate;
    const config = options.config();
    if (certificate === undefined || config === undefined) return undefined;
    const { subject } = options.verify(certificate, config.clientCa);
    const { allowedNames } = config;
    if (allowedNames.length > 0 && !allowedNames.includes(subject.commonName)) {
      throw new AuthenticationError(
        `the front proxy's certificate is for "${subject.commonName}", which is not an allowed name`,
      );
    }
    return userInHeaders(headers, config);
  };
}

/** Removes all front-proxy headers, which clients may have forged. */
export function withoutRequestHeaders(
  headers: HttpHeaders,
  config: HeaderNames = standardHeaders,
): HttpHeaders {
  const isForged = isForgedBy(config);
  if (!hasName(headers, isForged)) return headers;
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !isForged(name)));
}

/** Runs on every request, so that no list of names is made. */
export function hasName(headers: HttpHeaders, is: (name: string) => boolean): boolean {
  for (const name in headers) if (is(name)) return true;
  return false;
}

type HeaderNames = Omit<RequestHeaderConfig, "clientCa" | "allowedNames">;

const forgedBy = new WeakMap<HeaderNames, (name: string) => boolean>();

/** Includes the standard headers, which another server might trust. */
function isForgedBy(config: HeaderNames): (name: string) => boolean {
  const known = forgedBy.get(config);
  if (known) return known;
  const all = [standardHeaders, config];
  const lower = (names: readonly string[]) => names.map((name) => name.toLowerCase());
  const names = new Set(
    all.flatMap((each) =>
      lower([...each.usernameHeaders, ...each.uidHeaders, ...each.groupHeaders]),
    ),
  );
  const prefixes = all.flatMap((each) => lower(each.extraHeaderPrefixes));
  const isForged = (name: string) =>
    names.has(name) || prefixes.some((prefix) => name.startsWith(prefix));
  forgedBy.set(config, isForged);
  return isForged;
}

const standardHeaders: HeaderNames = {
  usernameHeaders: ["x-remote-user"],
  uidHeaders: ["x-remote-uid"],
  groupHeaders: ["x-remote-group"],
  extraHeaderPrefixes: ["x-remote-extra-"],
};

function userInHeaders(headers: HttpHeaders, config: RequestHeaderConfig) {
  const name = firstValue(headers, config.usernameHeaders);
  if (name === "") return undefined;
  const uid = firstValue(headers, config.uidHeaders);
  const groups = config.groupHeaders.flatMap((header) => valuesOf(headers, header));
  const extra = extraOf(headers, config.extraHeaderPrefixes);
  return { name, ...(uid !== "" && { uid }), groups, extra };
}

function firstValue(headers: HttpHeaders, names: readonly string[]): string {
  for (const name of names) {
    const value = headerValue(headers, name.toLowerCase()) ?? "";
    if (value !== "") return value;
  }
  return "";
}

function valuesOf(headers: HttpHeaders, name: string): string[] {
  return [headers[name.toLowerCase()] ?? []].flat().filter((value) => value !== "");
}

function extraOf(headers: HttpHeaders, prefixes: readonly string[]): Record<string, string[]> {
  const extra = new Map<string, string[]>();
  for (const prefix of prefixes.map((each) => each.toLowerCase())) {
    for (const [name, value] of Object.entries(headers)) {
      if (!name.startsWith(prefix)) continue;
      const key = unescapeKey(name.slice(prefix.length));
      extra.set(key, [...(extra.get(key) ?? []), ...[value ?? []].flat()]);
    }
  }
  return Object.fromEntries(extra);
}

/** Keys are percent-encoded, since header names allow few characters. */
export function unescapeKey(key: string): string {
  try {
    return decodeURIComponent(key);
  } catch {
    return key;
  }
}
