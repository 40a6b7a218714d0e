/**
 * Loads the API server lazily: commands that only inspect a data folder start in a fraction of the
 * time.
 */
export function loadApiServer(): Promise<typeof import("./api-server.ts")> {
  return import("./api-server.ts");
}
