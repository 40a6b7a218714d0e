import { RequestError } from "@rookery/http";
import type { Address } from "./service-resolver.ts";

/** The message of Go's HTTP client for a failed request. */
export function goNetworkError(error: unknown, to: Address): string {
  if (error instanceof DOMException && error.name === "TimeoutError") {
    return "context deadline exceeded";
  }
  if (error instanceof DOMException && error.name === "AbortError") return "context canceled";
  if (!(error instanceof RequestError)) return messageOf(error);
  switch (error.code) {
    case "ConnectionRefused":
      return `dial tcp ${hostPort(to)}: connect: connection refused`;
    case "TimedOut":
      return "context deadline exceeded";
    case "TlsFailed":
      return tlsError(error, to);
    case "ConnectFailed":
      return connectError(error, to);
    case "ConnectionLost":
      return "EOF";
    default:
      return messageOf(error.cause ?? error);
  }
}

/** Go: net.JoinHostPort. */
function hostPort({ host, port }: Address): string {
  return `${host.includes(":") ? `[${host}]` : host}:${port}`;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function connectError(error: RequestError, to: Address): string {
  const { code } = (error.cause ?? {}) as NodeJS.ErrnoException;
  if (code === "ENOTFOUND") return `dial tcp: lookup ${to.host}: no such host`;
  if (code === "ECONNRESET") return "EOF";
  if (code === "EHOSTUNREACH") return `dial tcp ${hostPort(to)}: connect: no route to host`;
  if (code === "ENETUNREACH") return `dial tcp ${hostPort(to)}: connect: network is unreachable`;
  return `dial tcp ${hostPort(to)}: ${messageOf(error.cause ?? error)}`;
}

interface TlsCause {
  readonly code?: string;
  readonly message?: string;
  readonly host?: string;
  readonly cert?: { readonly subjectaltname?: string; readonly valid_to?: string };
}

const unknownAuthority: readonly (string | undefined)[] = [
  "SELF_SIGNED_CERT_IN_CHAIN",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "UNABLE_TO_GET_ISSUER_CERT",
  "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
  "CERT_SIGNATURE_FAILURE",
];

function tlsError(error: RequestError, to: Address): string {
  const cause = (error.cause ?? {}) as TlsCause;
  const verification = verificationError(cause, to);
  if (verification) return `tls: failed to verify certificate: x509: ${verification}`;
  if (/wrong version number|packet length too long/.test(cause.message ?? "")) {
    return "http: server gave HTTP response to HTTPS client";
  }
  return `remote error: tls: ${cause.message ?? error.message}`;
}

function verificationError({ code, cert, host = "" }: TlsCause, to: Address): string | undefined {
  if (unknownAuthority.includes(code)) return "certificate signed by unknown authority";
  if (code === "CERT_HAS_EXPIRED") return "certificate has expired or is not yet valid";
  if (code !== "ERR_TLS_CERT_ALTNAME_INVALID") return undefined;
  return nameError(cert?.subjectaltname ?? "", host || to.host);
}

/** Go shows the names of a certificate for a name, and the addresses for an address. */
function nameError(alternatives: string, host: string): string {
  const isAddress = /^[\d.]+$|:/.test(host);
  const label = isAddress ? "IP Address:" : "DNS:";
  const fitting = alternatives
    .split(", ")
    .filter((each) => each.startsWith(label))
    .map((each) => each.slice(label.length));
  if (fitting.length > 0) return `certificate is valid for ${fitting.join(", ")}, not ${host}`;
  if (isAddress) {
    return `cannot validate certificate for ${host} because it doesn't contain any IP SANs`;
  }
  return `certificate is not valid for any names, but wanted to match ${host}`;
}
