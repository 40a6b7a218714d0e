import { flagName } from "../flags/manager-flags.ts";
import type { Container } from "./component-shapes.ts";

/** The flags that a container is started with, by name; those without a value are "". */
export function flagsOf(container: Container): ReadonlyMap<string, string> {
  const words = [...(container.command?.slice(1) ?? []), ...(container.args ?? [])];
  const flags = new Map<string, string>();
  for (const [index, word] of words.entries()) {
    const [, name, value] = parse(word) ?? [];
    if (name === undefined) continue;
    flags.set(flagName(name), value ?? valueBehind(words, index) ?? "");
  }
  return flags;
}

/** The container with a flag set once, at its present place or at the end. */
export function withFlag(container: Container, name: string, value: string): Container {
  const [program, ...rest] = container.command ?? [];
  const command = replaceFlag(rest, name, value);
  if (program !== undefined && command) return { ...container, command: [program, ...command] };
  const args = container.args ?? [];
  return { ...container, args: replaceFlag(args, name, value) ?? [...args, `--${name}=${value}`] };
}

/** The container with a flag repeated for each value, at the end of its arguments. */
export function withRepeatedFlag(
  container: Container,
  name: string,
  values: readonly string[],
): Container {
  const [program, ...rest] = container.command ?? [];
  const command = replaceFlag(rest, name, undefined);
  const args = container.args ?? [];
  return {
    ...container,
    ...(program !== undefined && command && { command: [program, ...command] }),
    args: [
      ...(replaceFlag(args, name, undefined) ?? args),
      ...values.map((value) => `--${name}=${value}`),
    ],
  };
}

/** Undefined if the words lack the flag; without a value, it is removed. */
function replaceFlag(
  words: readonly string[],
  name: string,
  value: string | undefined,
): string[] | undefined {
  const replaced: string[] = [];
  let isFound = false;
  for (let index = 0; index < words.length; index++) {
    const word = words[index] ?? "";
    const [, flag, inline] = parse(word) ?? [];
    if (flag === undefined || flagName(flag) !== name) {
      replaced.push(word);
      continue;
    }
    if (!isFound && value !== undefined) replaced.push(`--${name}=${value}`);
    isFound = true;
    // The value may be the next word.
    if (inline === undefined && valueBehind(words, index) !== undefined) index += 1;
  }
  return isFound ? replaced : undefined;
}

function parse(word: string): RegExpExecArray | null {
  return /^--?([A-Za-z][^\s=]*)(?:=([\s\S]*))?$/.exec(word);
}

/** Managers have no positional arguments, so a word without a dash is the value of the flag before it. */
function valueBehind(words: readonly string[], index: number): string | undefined {
  const next = words[index + 1];
  return next === undefined || next.startsWith("-") ? undefined : next;
}
