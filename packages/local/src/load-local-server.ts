import type { LocalServerOptions } from "./local-options.ts";
import type { LocalServer } from "./start-local-server.ts";

/**
 * Starts it and resolves when it is ready. A second start on the same folder finds all data.
 * Rejects with a StoreUnusableError or a ListenError, whose messages say the way out. Its code is
 * loaded only now: commands that merely look for a running one are quick.
 */
export async function startLocalServer(options: LocalServerOptions): Promise<LocalServer> {
  const server = await import("./start-local-server.ts");
  return server.startLocalServer(options);
}
