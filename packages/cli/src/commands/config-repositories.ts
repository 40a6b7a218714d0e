import { defaultProviders, type ProviderKind, providerKindNames } from "@rookery/components";
import type { CommandIo } from "../command.ts";
import { configFlag } from "../config/config-flag.ts";
import { readConfig } from "../config/read-config.ts";
import { type Form, formatValue, outputFlag } from "../output/forms.ts";
import { formatFitted } from "../output/table.ts";
import { parseArguments } from "../parse-arguments.ts";
import { isSame } from "../providers/provider-flags.ts";

interface Options {
  readonly config?: string;
  readonly output?: Form;
}

interface Repository {
  readonly Name: string;
  readonly Type: ProviderKind;
  readonly URL: string;
}

const examples = `
Examples:
  rookery config repositories            all providers that can be named
  rookery config repositories -o yaml    as clusterctl prints them`;

/** Every provider that can be named, and where it comes from. */
export async function run(args: readonly string[], io: CommandIo): Promise<void> {
  const options = parseArguments(args, io, (command) =>
    configFlag(outputFlag(command, ["table", "json", "yaml"]))
      .name("rookery config repositories")
      .description("Prints each provider that can be named, with the place of its releases.")
      .addHelpText("after", examples),
  ).opts<Options>();
  const { providers } = await readConfig(options, io);
  const own = providers.map(({ name, type, url }) => ({ kind: type, name, url }));
  const known = defaultProviders().filter((one) => !own.some((other) => isSame(one, other)));
  const all = [...known, ...own].toSorted(
    (a, b) => orderOf(a) - orderOf(b) || compare(a.name, b.name),
  );
  if (options.output === "json" || options.output === "yaml") {
    const values = all.map(
      ({ kind, name, url }): Repository => ({ Name: name, Type: kind, URL: url }),
    );
    return io.write(formatValue(values, options.output));
  }
  const rows = all.map(({ kind, name, url }) => {
    const end = url.lastIndexOf("/") + 1;
    return [name, kind, url.slice(0, end), url.slice(end)];
  });
  io.write(formatFitted(["NAME", "TYPE", "URL", "FILE"], rows, io.terminal?.columns()));
}

function orderOf({ kind }: { readonly kind: ProviderKind }): number {
  return providerKindNames.indexOf(kind);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
