import { runProxy } from "@rookery/proxy";
import { flagProgram } from "../flag-program.ts";

/** Proxies the requests of an app until the process is asked to end. */
export const run = flagProgram({
  examples: `  rookery proxy --api-group-suffix example.dev=team1.example.com    the app's groups under another suffix
  rookery proxy --namespace team-a --namespace team-b               some namespaces only`,
  run: runProxy,
});
