/** Whether credentials may be sent to a server: to any where none is named. */
export function isServerAllowed(servers: readonly string[] | undefined, server: string): boolean {
  return servers === undefined || servers.some((allowed) => isSameServer(allowed, server));
}

/** Names of servers are the same in any case, with the usual port or without. */
function isSameServer(a: string, b: string): boolean {
  return withPort(a) === withPort(b);
}

function withPort(server: string): string {
  const name = server.toLowerCase();
  return /:\d+$/.test(name) ? name : `${name}:443`;
}
