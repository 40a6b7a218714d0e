import { isIP } from "node:net";

const anyHosts: ReadonlySet<string> = new Set(["", "0.0.0.0", "::"]);

/**
 * The address to listen on. A pod on a node of processes shares the machine's addresses, so "all
 * addresses" means the pod's own one, which the node sets.
 */
export function listenHost(host: string, env: NodeJS.ProcessEnv = process.env): string {
  return anyHosts.has(host) ? (env.ROOKERY_LISTEN_HOST ?? host) : host;
}

const loopbackHosts: ReadonlySet<string> = new Set(["localhost", "127.0.0.1", "::1", "[::1]"]);

/**
 * The address between containers of one pod: loopback, or the pod's own address on a node of
 * processes.
 */
export function podHost(host: string, env: NodeJS.ProcessEnv = process.env): string {
  return loopbackHosts.has(host) ? (env.ROOKERY_LISTEN_HOST ?? host) : host;
}

export function isLoopback(host: string): boolean {
  const bare = host.replace(/^\[|\]$/g, "");
  return bare === "localhost" || bare === "::1" || (isIP(bare) === 4 && bare.startsWith("127."));
}
