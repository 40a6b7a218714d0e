import { resolve } from "node:path";
import { lockStore } from "@rookery/local";
import type { CommandIo } from "../command.ts";
import { defineCommand } from "../define-command.ts";
import { UsageError } from "../errors.ts";
import { isDataFolder, removeData } from "../local/data-folder.ts";
import { endRun } from "../local/end-run.ts";
import { dataFlag } from "../local/flags.ts";
import { type Form, formatFor, outputFlag } from "../output/forms.ts";

interface Options {
  readonly data: string;
  readonly yes?: boolean;
  readonly output?: Form;
}

const graceMs = 120_000;

/** Stops the embedded Kubernetes and removes all its data. */
export const run = defineCommand<Options>({
  description:
    'Stops the Kubernetes that "rookery local up" started and removes its data: objects, volumes and ' +
    "certificates. Files that are not Rookery's stay.",
  examples: `  rookery local reset                          asks, then removes the data of this user's one
  rookery local reset --yes                    does not ask
  rookery local reset --yes --data ./cluster   that of another one`,
  declare: (command, io) =>
    dataFlag(outputFlag(command, ["text", "json", "yaml"]), io.env).option("--yes", "do not ask"),
  async run(options, io) {
    const folder = resolve(options.data);
    const report = (text: string, removed: boolean, left: readonly string[]) =>
      io.write(formatFor(options.output, { folder, removed, left }, () => `${text}\n`));
    if (!(await isDataFolder(folder))) return report(`There is no data in ${folder}`, false, []);
    if (!options.yes && !(await isConfirmed(folder, io))) {
      return report("Nothing was removed", false, []);
    }
    await endRun(folder, graceMs);
    // No other process may start to use the data while it is removed.
    using _ = lockStore(folder);
    const { left } = await removeData(folder);
    const rest = left.length > 0 ? `; ${left.join(", ")} stayed, which is not Rookery's` : "";
    report(`Removed all data of ${folder}${rest}`, true, left);
  },
});

async function isConfirmed(folder: string, { ask }: CommandIo): Promise<boolean> {
  if (!ask) {
    throw new UsageError(
      "there is no terminal to confirm the removal of data at; confirm it by --yes.",
    );
  }
  const answer = await ask(`Remove all objects, volumes and certificates in ${folder}? [y/N] `);
  return /^y(es)?$/i.test(answer.trim());
}
