import packageJson from "../../package.json" with { type: "json" };
import { type CommandIo, type CommandSpec, commandGroups, commands } from "../command.ts";
import { painter } from "../output/colours.ts";
import { formatPairs } from "../output/table.ts";
import { commandsBelow } from "./find-commands.ts";

type Texts = readonly (readonly [string, string])[];

const commonOptions: Texts = [
  ["-h, --help", 'its flags, with examples; "rookery help <command>" prints the same'],
  ["--version", "of rookery alone: its version"],
];

const examples: Texts = [
  ["rookery local up", "a Kubernetes to try all commands on; it needs nothing but Node"],
  ["rookery move --help", "the flags of a command"],
  ["rookery completion --help", "commands, flags and names by the Tab key"],
];

/** The text of `rookery --help`: one line for each command, by group. */
export function overview(io: CommandIo): string {
  const paint = painter(io);
  const heading = (text: string) => paint("bold", `${text}:`);
  const nameWidth = longestName(commands);
  const groups = commandGroups.map(
    (group) => `${heading(group.title)}\n${lines(group.commands, nameWidth, io)}`,
  );
  const pairs = (texts: Texts, gap = 2) =>
    formatPairs(texts, { width: io.terminal?.columns(), indent: "  ", gap });
  return `Rookery ${packageJson.version}: many Cluster API tenants on one Kubernetes

Usage: rookery <command> [options]

${groups.join("\n")}
${heading("Options of every command")}
${pairs(commonOptions)}
${heading("Examples")}
${pairs(examples, 4)}`;
}

/** The text of `rookery local --help`: the commands below a first word. */
export function subCommands(words: readonly string[], io: CommandIo): string {
  const first = words.join(" ");
  return `Usage: rookery ${first} <command> [options]

Commands:
${linesBelow(words, io)}
"rookery ${first} <command> --help" says what one of them takes.
`;
}

/** One line for each command below these words. */
export function linesBelow(words: readonly string[], io: CommandIo): string {
  const below = commandsBelow(words);
  return lines(below, longestName(below), io);
}

function lines(specs: readonly CommandSpec[], nameWidth: number, { terminal }: CommandIo): string {
  const pairs = specs.map(({ name, summary }): readonly [string, string] => [name, summary]);
  return formatPairs(pairs, { nameWidth, width: terminal?.columns(), indent: "  ", gap: 2 });
}

function longestName(specs: readonly CommandSpec[]): number {
  return Math.max(...specs.map(({ name }) => name.length));
}
