import { commands } from "../command.ts";
import { wordsOf } from "./find-commands.ts";

/** How the command was started: by its own name, or as a plugin of kubectl. */
export type ProgramName = "rookery" | "kubectl rookery";

/** kubectl finds its plugins by the names of their files. */
export function programName(file: string): ProgramName {
  return /(^|[/\\])kubectl-rookery(\.|$)/.test(file) ? "kubectl rookery" : "rookery";
}

/** A text for people that names commands as the user has to type them. */
export function asCalled(text: string, program: ProgramName): string {
  return program === "rookery" ? text : text.replaceAll(typedCommand(), `${program} `);
}

function typedCommand(): RegExp {
  const first = new Set(commands.map((spec) => wordsOf(spec)[0]));
  const next = [...first, "help", "--", "<"].join("|");
  return new RegExp(`(?<!kubectl |[\\w./:-])rookery (?=${next})`, "g");
}
