/** Whether a server is one of those that are listed. */
export function isServerListed(servers: readonly string[], server: string): boolean {
  return servers.some((listed) => isSameServer(listed, server));
}

/** Names of servers are the same in any case, with the usual port or without. */
export function isSameServer(a: string, b: string): boolean {
  return withPort(a) === withPort(b);
}

function withPort(server: string): string {
  const name = server.toLowerCase();
  return /:\d+$/.test(name) ? name : `${name}:443`;
}
