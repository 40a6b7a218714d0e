import { runProxy } from "@rookery/proxy";
import type { CommandIo } from "../command.ts";
import { runFlagProgram } from "../flag-program.ts";

const examples = `
Examples:
  rookery proxy --api-group-suffix example.dev=team1.example.com    the app's groups under another suffix
  rookery proxy --namespace team-a --namespace team-b               some namespaces only`;

/** Stands between an app and the API server until the process is asked to end. */
export async function run(args: readonly string[], io: CommandIo): Promise<void> {
  await runFlagProgram({ name: "rookery proxy", examples, run: runProxy }, args, io);
}
