import { isIP } from "node:net";

const anyHosts: ReadonlySet<string> = new Set(["", "0.0.0.0", "::"]);

/**
 * Where to listen for a host. A pod of a node of processes shares its machine's addresses with all
 * others, so that "all addresses" means its own one there, which the node tells it.
 */
export function listenHost(host: string, env: NodeJS.ProcessEnv = process.env): string {
  return anyHosts.has(host) ? (env.ROOKERY_LISTEN_HOST ?? host) : host;
}

const loopbackHosts: ReadonlySet<string> = new Set(["localhost", "127.0.0.1", "::1", "[::1]"]);

/**
 * Where containers of one pod reach one another: at a loopback address, which on a node of processes is
 * the machine's, so that the pod's own one takes its place there.
 */
export function podHost(host: string, env: NodeJS.ProcessEnv = process.env): string {
  return loopbackHosts.has(host) ? (env.ROOKERY_LISTEN_HOST ?? host) : host;
}

/** Whether a host, as in a URL or as an address, is this machine itself. */
export function isLoopback(host: string): boolean {
  const bare = host.replace(/^\[|\]$/g, "");
  return bare === "localhost" || bare === "::1" || (isIP(bare) === 4 && bare.startsWith("127."));
}
