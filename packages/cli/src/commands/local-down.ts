import { resolve } from "node:path";
import type { CommandIo } from "../command.ts";
import { type Ended, endRun } from "../local/end-run.ts";
import { defaultFolder, parseSeconds } from "../local/flags.ts";
import { type Form, formatValue, isForPrograms, outputFlag } from "../output/forms.ts";
import { parseArguments } from "../parse-arguments.ts";

const examples = `
Examples:
  rookery local down                 the one of this user
  rookery local down --timeout 10    and not longer than that
  rookery local down -o json         what was ended, for programs`;

/** Ends the embedded Kubernetes and all its pods, and keeps its data. */
export async function run(args: readonly string[], io: CommandIo): Promise<void> {
  const { data, timeout, output } = parseArguments(args, io, (command) =>
    outputFlag(command, ["text", "json", "yaml"])
      .name("rookery local down")
      .description(
        'Ends what "rookery local up" has started: its pods with their grace, then the rest. Data stays, and ' +
          "so do objects: the next start brings back all pods.",
      )
      .option("--data <folder>", "where its data stays", defaultFolder(io.env))
      .option("--timeout <seconds>", "after which it is killed", parseSeconds, 120)
      .addHelpText("after", examples),
  ).opts<DownFlags>();
  const folder = resolve(data);
  const ended = await endRun(folder, timeout * 1000);
  io.write(
    isForPrograms(output)
      ? formatValue({ ...ended, folder }, output)
      : `${describe(ended, { folder, timeout })}\n`,
  );
}

interface DownFlags {
  readonly data: string;
  readonly timeout: number;
  readonly output?: Form;
}

function describe(
  { pid, killed }: Ended,
  { folder, timeout }: { readonly folder: string; readonly timeout: number },
): string {
  if (pid === undefined) return `Nothing runs with the data in ${folder}`;
  if (killed)
    return `Killed process ${pid}, which did not end within ${timeout} s; data stays in ${folder}`;
  return `Ended process ${pid} and all its pods; data stays in ${folder}`;
}
