import { BlockList, isIP, isIPv6 } from "node:net";
import { isLoopback } from "@rookery/http";

/**
 * The proxy of HTTPS_PROXY, HTTP_PROXY and NO_PROXY, in upper or lower case, as Go's
 * ProxyFromEnvironment: never for loopback.
 */
export function proxyFromEnvironment(server: string, env: NodeJS.ProcessEnv): string | undefined {
  const url = new URL(server);
  const proxy =
    url.protocol === "https:"
      ? env.HTTPS_PROXY || env.https_proxy
      : env.HTTP_PROXY || env.http_proxy;
  const host = url.hostname.replace(/^\[|\]$/g, "");
  if (!proxy || isLoopback(host)) return undefined;
  const port = url.port || (url.protocol === "https:" ? "443" : "80");
  const exceptions = (env.NO_PROXY || env.no_proxy || "").toLowerCase().split(",");
  if (exceptions.some((exception) => matches(exception.trim(), host, port))) return undefined;
  return proxy.includes("://") ? proxy : `http://${proxy}`;
}

/**
 * An exception is "*", an address, a network, or a domain with its subdomains (".x", "*.x": only
 * those).
 */
function matches(exception: string, host: string, port: string): boolean {
  if (exception === "*") return true;
  if (exception.includes("/")) return isIP(host) !== 0 && contains(exception, host);
  const [name = "", onlyPort] = splitPort(exception);
  if (name === "" || (onlyPort !== undefined && onlyPort !== port)) return false;
  if (isIP(name)) return name === host;
  const domain = name.startsWith("*.") ? name.slice(1) : name;
  return domain.startsWith(".")
    ? host.endsWith(domain)
    : host === domain || host.endsWith(`.${domain}`);
}

function splitPort(exception: string): [name: string, port?: string] {
  if (isIPv6(exception)) return [exception];
  const bracketed = /^\[(.+)\](?::(\d+))?$/.exec(exception) ?? /^([^:]*):(\d+)$/.exec(exception);
  if (bracketed === null) return [exception];
  const [, name = "", port] = bracketed;
  return port === undefined ? [name] : [name, port];
}

function contains(network: string, host: string): boolean {
  const [address = "", prefix = ""] = network.split("/");
  const family = isIPv6(host) ? "ipv6" : "ipv4";
  if (isIP(address) === 0 || isIPv6(address) !== isIPv6(host) || !/^\d{1,3}$/.test(prefix)) {
    return false;
  }
  if (Number(prefix) > (family === "ipv6" ? 128 : 32)) return false;
  const list = new BlockList();
  list.addSubnet(address, Number(prefix), family);
  return list.check(host, family);
}
