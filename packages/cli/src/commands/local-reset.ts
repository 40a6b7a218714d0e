import { resolve } from "node:path";
import { lockStore } from "@rookery/local";
import type { CommandIo } from "../command.ts";
import { UsageError } from "../errors.ts";
import { isDataFolder, removeData } from "../local/data-folder.ts";
import { endRun } from "../local/end-run.ts";
import { defaultFolder } from "../local/flags.ts";
import { parseArguments } from "../parse-arguments.ts";

const graceMs = 120_000;

/** Ends the embedded Kubernetes and removes all its data. */
export async function run(args: readonly string[], io: CommandIo): Promise<void> {
  const flags = parseArguments(args, io, (command) =>
    command
      .name("rookery local reset")
      .description(
        'Ends what "rookery local up" has started and removes its data: objects, volumes and certificates. ' +
          "Files that are not Rookery's stay.",
      )
      .option("--data <folder>", "where its data stays", defaultFolder(io.env))
      .option("--yes", "do not ask"),
  ).opts<{ readonly data: string; readonly yes?: boolean }>();
  const folder = resolve(flags.data);
  if (!(await isDataFolder(folder))) return io.write(`There is no data in ${folder}\n`);
  if (!flags.yes && !(await isConfirmed(folder, io))) return io.write("Nothing was removed\n");
  await endRun(folder, graceMs);
  // Nobody may begin to use what is being removed.
  using _ = lockStore(folder);
  const { left } = await removeData(folder);
  const rest = left.length > 0 ? `; ${left.join(", ")} stayed, which is not Rookery's` : "";
  io.write(`Removed all data of ${folder}${rest}\n`);
}

async function isConfirmed(folder: string, { ask }: CommandIo): Promise<boolean> {
  if (!ask) {
    throw new UsageError("nobody is there to be asked whether data may go; say so by --yes.");
  }
  const answer = await ask(`Remove all objects, volumes and certificates in ${folder}? [y/N] `);
  return /^y(es)?$/i.test(answer.trim());
}
