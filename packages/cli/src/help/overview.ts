import packageJson from "../../package.json" with { type: "json" };
import { type CommandSpec, commandGroups, commands } from "../command.ts";
import type { Paint } from "../output/colours.ts";
import { commandsBelow } from "./find-commands.ts";

/** What `rookery --help` says: a line a command, by what they are about. */
export function overview(paint: Paint): string {
  const heading = (text: string) => paint("bold", `${text}:`);
  const width = longest(commands);
  const groups = Object.entries(commandGroups).map(([group, title]) => {
    const members = commands.filter((spec) => spec.group === group);
    return `${heading(title)}\n${lines(members, width)}`;
  });
  return `Rookery ${packageJson.version}: many Cluster API tenants on one Kubernetes

Usage: rookery <command> [options]

${groups.join("\n")}
${heading("Options of every command")}
  -h, --help  what it takes, with examples; "rookery help <command>" says the same
  --version   of rookery alone: which one this is

${heading("Examples")}
  rookery local up             a Kubernetes to try all of it on; it needs nothing but Node
  rookery move --help          what a command takes
  rookery completion --help    commands, flags and names by the Tab key
`;
}

/** The commands below a first word: what `rookery local --help` says. */
export function subCommands(words: readonly string[]): string {
  const first = words.join(" ");
  return `Usage: rookery ${first} <command> [options]

Commands:
${linesBelow(words)}
"rookery ${first} <command> --help" says what one of them takes.
`;
}

/** One line a command. */
export function linesBelow(words: readonly string[]): string {
  const below = commandsBelow(words);
  return lines(below, longest(below));
}

function lines(specs: readonly CommandSpec[], width: number): string {
  return specs.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}\n`).join("");
}

function longest(specs: readonly CommandSpec[]): number {
  return Math.max(...specs.map(({ name }) => name.length));
}
