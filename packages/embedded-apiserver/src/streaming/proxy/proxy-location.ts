import { BlockList, isIP, isIPv6 } from "node:net";
import type { EndpointAddress, Endpoints, Node, Pod, Service } from "@rookery/api";
import type { ConnectRequest } from "@rookery/apiserver";
import {
  badRequestError,
  type KubeObject,
  notFoundError,
  quote,
  serviceUnavailableError,
} from "@rookery/kube";
import type { Store } from "../../store/store.ts";
import type { Address } from "../../webhooks/service-resolver.ts";
import type { StreamingContext } from "../target/pod-target.ts";
import { podOf, unreachable } from "../target/pod-target.ts";

const kubeletPort = 10_250;

/** The kubelet by default. */
export function nodeLocation({ store }: Pick<StreamingContext, "store">): Locate {
  return ({ name: named }) => {
    const { scheme, name, port } = parseProxyName(named, "node");
    const node = store.get({ resource: "nodes", namespace: "", name })?.object;
    if (!node) throw notFoundError({ group: "", resource: "nodes" }, name);
    const { status } = node as KubeObject & Node;
    const host = addressOf(status?.addresses ?? []);
    if (!isGlobalAddress(host)) throw badRequestError("address not allowed");
    const own = String(status?.daemonEndpoints?.kubeletEndpoint?.Port || kubeletPort);
    const isKubelet = port === "" || port === own;
    return locationOf(isKubelet ? "https" : scheme, host, isKubelet ? own : port);
  };
}

/** In kube-apiserver's order of preference. */
const addressTypes = ["InternalIP", "ExternalIP"];

function addressOf(addresses: readonly { type?: string; address?: string }[]): string {
  const found = addressTypes.map((type) => addresses.find((each) => each.type === type)?.address);
  const address = found.find((each) => each !== undefined);
  if (address === undefined) throw unreachable("no preferred addresses found");
  return address;
}

export interface ProxyLocation extends Address {
  readonly scheme: "http" | "https";
}

/** Throws StatusErrors. */
export type Locate = (request: Pick<ConnectRequest, "namespace" | "name">) => ProxyLocation;

interface ProxyName {
  /** "" if missing. */
  readonly scheme: "" | "http" | "https";
  readonly name: string;
  /** A number or a name; "" if missing. */
  readonly port: string;
}

/** Parses "name", "name:port" or "scheme:name:port". Throws a bad request. */
function parseProxyName(text: string, what: string): ProxyName {
  const parts = text.split(":");
  const [scheme = "", name = "", port = ""] =
    parts.length === 3 ? parts : ["", parts[0], parts[1] ?? ""];
  const isScheme = scheme === "" || scheme === "http" || scheme === "https";
  if (parts.length > 3 || name === "" || !isScheme) {
    throw badRequestError(`invalid ${what} request ${quote(text)}`);
  }
  return { scheme, name, port };
}

function locationOf(scheme: ProxyName["scheme"], host: string, port: string): ProxyLocation {
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

const notGlobal = new BlockList();
notGlobal.addSubnet("127.0.0.0", 8, "ipv4");
notGlobal.addSubnet("169.254.0.0", 16, "ipv4");
notGlobal.addSubnet("224.0.0.0", 4, "ipv4");
notGlobal.addAddress("0.0.0.0", "ipv4");
notGlobal.addAddress("255.255.255.255", "ipv4");
notGlobal.addAddress("::", "ipv6");
notGlobal.addAddress("::1", "ipv6");
notGlobal.addSubnet("fe80::", 10, "ipv6");
notGlobal.addSubnet("ff00::", 8, "ipv6");

/** Used by programs of this machine that are not pods. */
const ownLoopback = new BlockList();
ownLoopback.addSubnet("127.0.0.0", 16, "ipv4");

/** Kubernetes proxies to global addresses only. */
export function isGlobalAddress(address: string): boolean {
  const version = isIP(address);
  return version !== 0 && !notGlobal.check(address, version === 6 ? "ipv6" : "ipv4");
}

/** Pods that are local processes have loopback addresses. */
export function isPodAddress(address: string, hasNode: boolean): boolean {
  if (isGlobalAddress(address)) return true;
  return hasNode && /^127\./.test(address) && isIP(address) === 4 && !ownLoopback.check(address);
}

/** The named port, or the first declared one. */
export function podLocation({ store, podStreams }: StreamingContext): Locate {
  return ({ namespace, name: named }) => {
    const { scheme, name, port } = parseProxyName(named, "pod");
    const { spec, status } = podOf(store, { namespace, name });
    const declared = spec?.containers?.find(({ ports = [] }) => ports.length > 0)?.ports?.[0];
    const address = status?.podIPs?.[0]?.ip ?? "";
    if (!isPodAddress(address, podStreams() !== undefined)) {
      throw badRequestError("address not allowed");
    }
    return locationOf(scheme, address, port || String(declared?.containerPort ?? ""));
  };
}

/** A random endpoint of the Service. */
export function serviceLocation({ store }: Pick<StreamingContext, "store">): Locate {
  return ({ namespace, name: named }) => {
    const { scheme, name, port } = parseProxyName(named, "service");
    const portName = /^[+-]?\d+$/.test(port) ? nameOfPort(store, { namespace, name }, port) : port;
    const endpoints = objectOf<Endpoints>(store, "endpoints", { namespace, name });
    const { subsets = [] } = endpoints;
    const found = subsets.flatMap(({ addresses = [], ports = [] }) => {
      const number = ports.find((each) => (each.name ?? "") === portName)?.port;
      const pods = addresses.filter((each) => isOfPod(store, each, namespace));
      return number === undefined ? [] : pods.map(({ ip = "" }) => ({ ip, port: number }));
    });
    const any = found[Math.floor(Math.random() * found.length)];
    const missing = quote(subsets.length === 0 ? name : named);
    if (!any) throw serviceUnavailableError(`no endpoints available for service ${missing}`);
    return locationOf(scheme, any.ip, String(any.port));
  };
}

interface Named {
  readonly namespace: string;
  readonly name: string;
}

function objectOf<T>(store: Store, resource: string, at: Named): KubeObject & T {
  const found = store.get({ resource, ...at })?.object;
  // Kubernetes names the requested resource here.
  if (!found) throw notFoundError({ group: "", resource: "services" }, at.name);
  return found as KubeObject & T;
}

function nameOfPort(store: Store, at: Named, port: string): string {
  const { spec } = objectOf<Service>(store, "services", at);
  const found = spec?.ports?.find((each) => each.port === Number(port));
  if (found) return found.name ?? "";
  const missing = `no service port ${Number(port)} found for service ${quote(at.name)}`;
  throw serviceUnavailableError(missing);
}

/** Only pods may be proxied to, whatever the Endpoints contain. */
function isOfPod(store: Store, { ip, targetRef }: EndpointAddress, namespace: string): boolean {
  if (!targetRef || (targetRef.namespace ?? "") !== namespace) return false;
  const name = targetRef.name ?? "";
  const pod = store.get({ resource: "pods", namespace, name })?.object as
    | (KubeObject & Pod)
    | undefined;
  return pod?.status?.podIPs?.some((each) => each.ip === ip) ?? false;
}
