import { resolve } from "node:path";
import { defineCommand } from "../define-command.ts";
import { type Ended, endRun } from "../local/end-run.ts";
import { dataFlag, parseSeconds } from "../local/flags.ts";
import { type Form, formatFor, outputFlag } from "../output/forms.ts";

interface Options {
  readonly data: string;
  readonly timeout: number;
  readonly output?: Form;
}

/** Stops the embedded Kubernetes and all its pods, and keeps its data. */
export const run = defineCommand<Options>({
  description:
    'Stops the Kubernetes that "rookery local up" started: its pods with their grace period, then the ' +
    "rest. Data and objects stay: the next start brings back all pods.",
  examples: `  rookery local down                 the one of this user
  rookery local down --timeout 10    and kills it after 10 seconds
  rookery local down -o json         what was stopped, for programs`,
  declare: (command, io) =>
    dataFlag(outputFlag(command, ["text", "json", "yaml"]), io.env).option(
      "--timeout <seconds>",
      "the time after which it is killed",
      parseSeconds,
      120,
    ),
  async run({ data, timeout, output }, io) {
    const folder = resolve(data);
    const ended = await endRun(folder, timeout * 1000);
    const text = () => `${describe(ended, { folder, timeout })}\n`;
    io.write(formatFor(output, { ...ended, folder }, text));
  },
});

function describe(
  { pid, killed }: Ended,
  { folder, timeout }: { readonly folder: string; readonly timeout: number },
): string {
  if (pid === undefined) return `Nothing runs with the data in ${folder}`;
  if (killed) {
    return `Killed process ${pid}, which did not end within ${timeout} s; data stays in ${folder}`;
  }
  return `Ended process ${pid} and all its pods; data stays in ${folder}`;
}
