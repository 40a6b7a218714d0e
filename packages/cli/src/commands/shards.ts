import { readShards } from "@rookery/operator";
import type { CommandIo } from "../command.ts";
import { DivisionError, UsageError } from "../errors.ts";
import { clusterFlags, connectTo, type KubeFlags } from "../kube-flags.ts";
import { type Form, formatValue, isForPrograms, outputFlag } from "../output/forms.ts";
import { parseArguments } from "../parse-arguments.ts";
import { formatShards } from "./format-shards.ts";

interface Options extends KubeFlags {
  readonly output?: Form;
  readonly seconds: number;
}

const examples = `
Examples:
  rookery shards                 who watches what; ends with code 1 where that is wrong
  rookery shards --seconds 10    with a rate of reconciles that is less of a moment
  rookery shards -o json         for programs`;

/** Who watches what. Errors: DivisionError, after all of it was printed, where there is a gap or an overlap. */
export async function run(args: readonly string[], io: CommandIo): Promise<void> {
  const { output, seconds, ...flags } = parseArguments(args, io, (command) =>
    outputFlag(clusterFlags(command), ["table", "json", "yaml"])
      .name("rookery shards")
      .description(
        "Prints which instance of a provider watches which namespaces, by a flag or by a proxy, and how " +
          "much it has to do. Ends with code 1 where a namespace is watched by nobody, or by two, or claimed in vain; one that " +
          "is being handed over is told, and no fault.",
      )
      .option("--seconds <number>", "over which the rate of reconciles is measured", readSeconds, 1)
      .addHelpText("after", examples),
  ).opts<Options>();
  await using connection = await connectTo(flags, io);
  const report = await readShards(connection.client, { seconds });
  io.write(
    isForPrograms(output)
      ? formatValue(report, output)
      : formatShards(report, io.terminal?.columns()),
  );
  const { claims, gaps, overlaps } = report;
  if (claims.length + gaps.length + overlaps.length > 0) throw new DivisionError(report);
}

function readSeconds(text: string): number {
  if (/^[1-9]\d{0,2}$/.test(text)) return Number(text);
  throw new UsageError(`--seconds "${text}" is not a whole number from 1 to 999.`);
}
