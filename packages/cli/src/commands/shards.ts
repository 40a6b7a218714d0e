import { readShards } from "@rookery/operator";
import { defineCommand } from "../define-command.ts";
import { DivisionError } from "../errors.ts";
import { wholeNumber } from "../flags.ts";
import { clusterFlags, connectTo, type KubeFlags } from "../kube-flags.ts";
import { type Form, formatFor, outputFlag } from "../output/forms.ts";
import { formatShards } from "./format-shards.ts";

interface Options extends KubeFlags {
  readonly output?: Form;
  readonly seconds: number;
}

/** Prints the division of namespaces, then throws DivisionError for gaps, overlaps and vain claims. */
export const run = defineCommand<Options>({
  description:
    "Prints the namespaces that each instance of a provider watches, by a flag or by a proxy, and its " +
    "load. Ends with code 1 where no instance, or more than one, watches a namespace, and where an instance " +
    "claims namespaces that it does not watch. A namespace that is handed over is printed and is no error.",
  examples: `  rookery shards                 the division; ends with code 1 for gaps and overlaps
  rookery shards --seconds 10    with a reconcile rate over a longer time
  rookery shards -o json         for programs`,
  declare: (command) =>
    outputFlag(clusterFlags(command), ["table", "json", "yaml"]).option(
      "--seconds <number>",
      "the time over which the reconcile rate is measured",
      wholeNumber("--seconds", 999),
      1,
    ),
  async run({ output, seconds, ...flags }, io) {
    await using connection = await connectTo(flags, io);
    const report = await readShards(connection.client, { seconds });
    io.write(formatFor(output, report, () => formatShards(report, io.terminal?.columns())));
    const { claims, gaps, overlaps } = report;
    if (claims.length + gaps.length + overlaps.length > 0) throw new DivisionError(report);
  },
});
