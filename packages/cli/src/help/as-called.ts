import { commands } from "../command.ts";
import { wordsOf } from "./find-commands.ts";

/** The name by which the command was started. */
export type ProgramName = "rookery" | "kubectl rookery";

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
