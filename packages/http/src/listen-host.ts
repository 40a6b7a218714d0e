const anyHosts: ReadonlySet<string> = new Set(["", "0.0.0.0", "::"]);

/**
 * Where to listen for a host. A pod of a node of processes shares its machine's addresses with all
 * others, so that "all addresses" means its own one there, which the node tells it.
 */
export function listenHost(host: string, env: NodeJS.ProcessEnv = process.env): string {
  return anyHosts.has(host) ? (env.ROOKERY_LISTEN_HOST ?? host) : host;
}
