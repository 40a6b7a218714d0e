import { readFile } from "node:fs/promises";
import { runInject } from "@rookery/proxy";
import type { CommandIo } from "../command.ts";
import { explainUsage } from "../usage.ts";

/** Prints the manifests of one instance of an app, ready for `kubectl apply -f -`. */
export async function run(args: readonly string[], io: CommandIo): Promise<void> {
  await explainUsage("rookery proxy inject", () =>
    runInject(args, {
      write: io.write,
      warn: io.writeError,
      readFile: (path) => readFile(path, "utf8"),
      readInput: io.readInput,
    }),
  );
}
