/**
 * Loads the code of the API server. Commands that only look into a data folder do without it, and
 * start in a fraction of the time.
 */
export function loadApiServer(): Promise<typeof import("./api-server.ts")> {
  return import("./api-server.ts");
}
