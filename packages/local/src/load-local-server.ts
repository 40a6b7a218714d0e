import type { LocalServerOptions } from "./local-options.ts";
import type { LocalServer } from "./start-local-server.ts";

/**
 * Starts a server and resolves when it is ready. A restart on the same folder finds all data.
 * Rejects with a StoreUnusableError or a ListenError. Loaded lazily, so that other commands stay
 * fast.
 */
export async function startLocalServer(options: LocalServerOptions): Promise<LocalServer> {
  const server = await import("./start-local-server.ts");
  return server.startLocalServer(options);
}
