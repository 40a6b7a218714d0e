import { isIPv6 } from "node:net";
import type { ConnectRequest } from "@rookery/apiserver";
import { badRequestError, quote } from "@rookery/kube";
import type { Address } from "../../webhooks/service-resolver.ts";

/** Where a request is handed on to. */
export interface ProxyLocation extends Address {
  readonly scheme: "http" | "https";
}

/** Finds it. Throws StatusErrors. */
export type Locate = (request: Pick<ConnectRequest, "namespace" | "name">) => ProxyLocation;

export interface ProxyName {
  /** "" where it is not said. */
  readonly scheme: "" | "http" | "https";
  readonly name: string;
  /** A number or a name; "" where it is not said. */
  readonly port: string;
}

/** Reads "name", "name:port" or "scheme:name:port". Throws a bad request. */
export function parseProxyName(text: string, what: string): ProxyName {
  const parts = text.split(":");
  const [scheme = "", name = "", port = ""] =
    parts.length === 3 ? parts : ["", parts[0], parts[1] ?? ""];
  const isScheme = scheme === "" || scheme === "http" || scheme === "https";
  if (parts.length > 3 || name === "" || !isScheme) {
    throw badRequestError(`invalid ${what} request ${quote(text)}`);
  }
  return { scheme, name, port };
}

export function locationOf(scheme: ProxyName["scheme"], host: string, port: string): ProxyLocation {
  const known = scheme || "http";
  const number = port === "" ? (known === "https" ? 443 : 80) : Number(port);
  if (!Number.isInteger(number) || number < 1 || number > 65_535) {
    throw badRequestError(`invalid port ${quote(port)}`);
  }
  return { scheme: known, host, port: number };
}

export function originOf({ scheme, host, port }: ProxyLocation): string {
  return `${scheme}://${isIPv6(host) ? `[${host}]` : host}:${port}`;
}
