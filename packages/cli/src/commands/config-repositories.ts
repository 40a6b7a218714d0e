import { defaultProviders } from "@rookery/components";
import { readConfig } from "../config/read-config.ts";
import { defineCommand } from "../define-command.ts";
import { type ConfigFlags, configFlag } from "../flags.ts";
import { type Form, formatFor, outputFlag } from "../output/forms.ts";
import { formatFitted } from "../output/table.ts";
import { compareKinds, isSame } from "../providers/provider-flags.ts";

interface Options extends ConfigFlags {
  readonly output?: Form;
}

/** Prints every provider that has a name, with its repository. */
export const run = defineCommand<Options>({
  description: "Prints each provider that can be named, with the repository of its releases.",
  examples: `  rookery config repositories            all providers that can be named
  rookery config repositories -o yaml    as clusterctl prints them`,
  declare: (command) => configFlag(outputFlag(command, ["table", "json", "yaml"])),
  async run(options, io) {
    const { providers } = await readConfig(options, io);
    const known = defaultProviders().filter((one) => !providers.some((own) => isSame(one, own)));
    const all = [...known, ...providers].toSorted(
      (a, b) => compareKinds(a, b) || (a.name < b.name ? -1 : 1),
    );
    const values = all.map(({ kind, name, url }) => ({ Name: name, Type: kind, URL: url }));
    const rows = all.map(({ kind, name, url }) => {
      const end = url.lastIndexOf("/") + 1;
      return [name, kind, url.slice(0, end), url.slice(end)];
    });
    const table = () => formatFitted(["NAME", "TYPE", "URL", "FILE"], rows, io.terminal?.columns());
    io.write(formatFor(options.output, values, table));
  },
});
