import type { CommandIo, CommandSpec } from "../command.ts";
import { commandsBelow, findCommand, wordsOf } from "../help/find-commands.ts";
import {
  type Candidate,
  type Completion,
  completeArguments,
  directives,
} from "./complete-arguments.ts";

/**
 * Answers a shell in Cobra's form, which kubectl understands too: a line for each candidate, its summary
 * behind a tab, then ":" and the directive. The last word is the one at the cursor.
 */
export async function complete(words: readonly string[], io: CommandIo): Promise<void> {
  const { candidates, directive } = await completionOf(words, io);
  const lines = candidates.map(({ text, summary }) => (summary ? `${text}\t${summary}` : text));
  io.write([...lines, `:${directive}`, ""].join("\n"));
}

async function completionOf(words: readonly string[], io: CommandIo): Promise<Completion> {
  const [current = "", ...backwards] = words.toReversed();
  const typed = backwards.toReversed();
  const isHelp = typed[0] === "help";
  const before = isHelp ? typed.slice(1) : typed;
  const names = nextWords(before).filter(({ text }) => text.startsWith(current));
  const spec = isHelp ? undefined : findCommand(before);
  if (!spec) return { candidates: names, directive: directives.noFiles };
  const rest = before.slice(wordsOf(spec).length);
  const { candidates, directive } = await completeArguments(spec, [...rest, current], io);
  return { candidates: [...(rest.length === 0 ? names : []), ...candidates], directive };
}

/** The words that may follow these in the name of a command. */
function nextWords(words: readonly string[]): Candidate[] {
  const next = Map.groupBy(commandsBelow(words), (spec) => wordsOf(spec)[words.length] ?? "");
  return [...next].map(([text, specs]) => ({ text, summary: summaryOf(specs, words.length + 1) }));
}

function summaryOf(specs: readonly CommandSpec[], depth: number): string {
  const own = specs.find((spec) => wordsOf(spec).length === depth);
  return own?.summary ?? specs.map((spec) => wordsOf(spec).slice(depth).join(" ")).join(", ");
}
