import { resolve } from "node:path";
import { lockStore } from "@rookery/local";
import type { CommandIo } from "../command.ts";
import { UsageError } from "../errors.ts";
import { isDataFolder, removeData } from "../local/data-folder.ts";
import { endRun } from "../local/end-run.ts";
import { defaultFolder } from "../local/flags.ts";
import { type Form, formatValue, isForPrograms, outputFlag } from "../output/forms.ts";
import { parseArguments } from "../parse-arguments.ts";

const examples = `
Examples:
  rookery local reset                          asks, then removes the data of this user's one
  rookery local reset --yes                    does not ask
  rookery local reset --yes --data ./cluster   that of another one`;

const graceMs = 120_000;

/** Ends the embedded Kubernetes and removes all its data. */
export async function run(args: readonly string[], io: CommandIo): Promise<void> {
  const flags = parseArguments(args, io, (command) =>
    outputFlag(command, ["text", "json", "yaml"])
      .name("rookery local reset")
      .description(
        'Ends what "rookery local up" has started and removes its data: objects, volumes and certificates. ' +
          "Files that are not Rookery's stay.",
      )
      .option("--data <folder>", "where its data stays", defaultFolder(io.env))
      .option("--yes", "do not ask")
      .addHelpText("after", examples),
  ).opts<{ readonly data: string; readonly yes?: boolean; readonly output?: Form }>();
  const folder = resolve(flags.data);
  const tell = (text: string, value: Outcome) =>
    io.write(isForPrograms(flags.output) ? formatValue(value, flags.output) : `${text}\n`);
  const kept = { folder, removed: false, left: [] };
  if (!(await isDataFolder(folder))) return tell(`There is no data in ${folder}`, kept);
  if (!flags.yes && !(await isConfirmed(folder, io))) return tell("Nothing was removed", kept);
  await endRun(folder, graceMs);
  // Nobody may begin to use what is being removed.
  using _ = lockStore(folder);
  const { left } = await removeData(folder);
  const rest = left.length > 0 ? `; ${left.join(", ")} stayed, which is not Rookery's` : "";
  tell(`Removed all data of ${folder}${rest}`, { folder, removed: true, left });
}

interface Outcome {
  readonly folder: string;
  readonly removed: boolean;
  /** What is not Rookery's. */
  readonly left: readonly string[];
}

async function isConfirmed(folder: string, { ask }: CommandIo): Promise<boolean> {
  if (!ask) {
    throw new UsageError("nobody is there to be asked whether data may go; say so by --yes.");
  }
  const answer = await ask(`Remove all objects, volumes and certificates in ${folder}? [y/N] `);
  return /^y(es)?$/i.test(answer.trim());
}
