import {
  readShards,
  type Shard,
  type ShardClaim,
  type ShardGap,
  type ShardReport,
} from "@rookery/operator";
import { defineCommand } from "../define-command.ts";
import { DivisionError } from "../errors.ts";
import { wholeNumber } from "../flags.ts";
import { clusterFlags, connectTo, type KubeFlags } from "../kube-flags.ts";
import { type Form, formatFor, outputFlag } from "../output/forms.ts";
import { formatFitted, formatText } from "../output/table.ts";

const header = ["PROVIDER", "INSTANCE", "NAMESPACES", "BY", "OBJECTS", "RECONCILES/S", "QUEUE"];

/** Who watches what as a table, and below it what nobody or more than one does. */
export function formatShards(
  { shards, claims, gaps, handOvers, overlaps }: ShardReport,
  width?: number,
): string {
  const table =
    shards.length === 0
      ? "no provider is installed here\n"
      : formatFitted(header, shards.map(row), width);
  const lines = [
    ...claims.map(claimed),
    ...handOvers.map(
      ({ to, ...gap }) => `hand-over: namespace ${unwatched(gap)}, is on its way to ${to}`,
    ),
    ...gaps.map((gap) => `gap: nobody watches namespace ${unwatched(gap)}`),
    ...overlaps.map(
      ({ provider, instances, ...both }) =>
        `overlap: ${instances.join(" and ")} of ${provider} both watch ${namespacesOf(both)}`,
    ),
  ];
  const inLines = (line: string) => (width === undefined ? [line] : formatText(line, width));
  return [table, ...lines.flatMap(inLines).map((line) => `${line}\n`)].join("");
}

function claimed({ provider, instance, reason, watchedBy, ...claim }: ShardClaim): string {
  const why = reason ?? "the operator has not seen it yet";
  const has = watchedBy.map((one) => `${namespacesOf(one)} is ${one.instance}'s`).join(", ");
  const head = `claim: ${instance} of ${provider} claims ${namespacesOf(claim)} and does not watch it`;
  return `${head} (${why})${has && `: ${has}`}`;
}

function unwatched({ provider, namespace, objects }: ShardGap): string {
  return `${namespace}, where ${provider} has ${objects} ${objects === 1 ? "object" : "objects"}`;
}

function row(shard: Shard): readonly string[] {
  const { provider, instance, by, first, load } = shard;
  const cell = (value: number | undefined) => (value === undefined ? "-" : `${value}`);
  return [
    ...[provider, first ? `${instance} (first)` : instance, namespacesOf(shard)],
    ...[by === "none" ? "-" : by, `${load.objects}`],
    ...[cell(load.reconcilesPerSecond), cell(load.queueDepth)],
  ];
}

function namespacesOf({
  namespaces,
  excludedNamespaces,
}: Pick<Shard, "namespaces" | "excludedNamespaces">): string {
  if (namespaces) return namespaces.length > 0 ? namespaces.join(",") : "none yet";
  return excludedNamespaces ? `all but ${excludedNamespaces.join(",")}` : "all";
}

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
