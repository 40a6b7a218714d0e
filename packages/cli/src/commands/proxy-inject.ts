import { readFile } from "node:fs/promises";
import { runInject } from "@rookery/proxy";
import type { CommandIo } from "../command.ts";
import { runFlagProgram } from "../flag-program.ts";

const examples = `
Examples:
  rookery proxy inject -f install.yaml --name team1 --namespace team1 \\
    --map argoproj.io=argoproj.team1.example.com | kubectl apply -f -`;

/** Prints the manifests of one instance of an app, ready for `kubectl apply -f -`. */
export async function run(args: readonly string[], io: CommandIo): Promise<void> {
  const { writeError: warn, readInput } = io;
  const inject = (args: readonly string[], write: CommandIo["write"]) =>
    runInject(args, { write, warn, readFile: (path) => readFile(path, "utf8"), readInput });
  await runFlagProgram({ name: "rookery proxy inject", examples, run: inject }, args, io);
}
