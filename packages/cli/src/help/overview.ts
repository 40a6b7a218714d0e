import packageJson from "../../package.json" with { type: "json" };
import type { CommandIo } from "../command.ts";
import { type CommandSpec, commandGroups, commands } from "../command.ts";
import { painter } from "../output/colours.ts";
import { formatPairs } from "../output/table.ts";
import { commandsBelow } from "./find-commands.ts";

type Texts = readonly (readonly [string, string])[];

const optionsOfAll: Texts = [
  ["-h, --help", 'what it takes, with examples; "rookery help <command>" says the same'],
  ["--version", "of rookery alone: which one this is"],
];

const examples: Texts = [
  ["rookery local up", "a Kubernetes to try all of it on; it needs nothing but Node"],
  ["rookery move --help", "what a command takes"],
  ["rookery completion --help", "commands, flags and names by the Tab key"],
];

/** What `rookery --help` says: a line a command, by what they are about. */
export function overview(io: CommandIo): string {
  const paint = painter(io);
  const heading = (text: string) => paint("bold", `${text}:`);
  const nameWidth = longest(commands);
  const groups = Object.entries(commandGroups).map(([group, title]) => {
    const members = commands.filter((spec) => spec.group === group);
    return `${heading(title)}\n${lines(members, nameWidth, io)}`;
  });
  const pairs = (texts: Texts, gap = 2) =>
    formatPairs(texts, { width: io.terminal?.columns(), indent: "  ", gap });
  return `Rookery ${packageJson.version}: many Cluster API tenants on one Kubernetes

Usage: rookery <command> [options]

${groups.join("\n")}
${heading("Options of every command")}
${pairs(optionsOfAll)}
${heading("Examples")}
${pairs(examples, 4)}`;
}

/** The commands below a first word: what `rookery local --help` says. */
export function subCommands(words: readonly string[], io: CommandIo): string {
  const first = words.join(" ");
  return `Usage: rookery ${first} <command> [options]

Commands:
${linesBelow(words, io)}
"rookery ${first} <command> --help" says what one of them takes.
`;
}

/** One line a command. */
export function linesBelow(words: readonly string[], io: CommandIo): string {
  const below = commandsBelow(words);
  return lines(below, longest(below), io);
}

function lines(specs: readonly CommandSpec[], nameWidth: number, { terminal }: CommandIo): string {
  const pairs = specs.map(({ name, summary }): readonly [string, string] => [name, summary]);
  return formatPairs(pairs, { nameWidth, width: terminal?.columns(), indent: "  ", gap: 2 });
}

function longest(specs: readonly CommandSpec[]): number {
  return Math.max(...specs.map(({ name }) => name.length));
}
