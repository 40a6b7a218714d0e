import { type Command, Option } from "commander";
import { UsageError } from "./errors.ts";

/** Adds `--name` and, hidden, `--no-name`. */
export function booleanFlag(command: Command, flag: string, description: string): Command {
  return command
    .option(flag, description)
    .addOption(new Option(`--no-${longName(flag).slice(2)}`).hideHelp().default(undefined));
}

/** "--watch" of "-w, --watch". */
export function longName(flag: string): string {
  return flag.replace(/^.*--/, "--");
}

/**
 * Accepts boolean flags as clusterctl does: `--grouping=false` is `--no-grouping`, `--echo=true` is
 * `--echo`, for all flags that the command declares in both forms.
 */
export function withPlainBooleans(
  args: readonly string[],
  { options }: Pick<Command, "options">,
): readonly string[] {
  const isDeclared = (flag: string) => options.some(({ long }) => long === flag);
  return args.map((arg) => {
    const [, name = "", value = ""] = /^--([a-z0-9-]+)=(1|t|true|0|f|false)$/i.exec(arg) ?? [];
    if (!isDeclared(`--${name}`) || !isDeclared(`--no-${name}`)) return arg;
    return /^(1|t)/i.test(value) ? `--${name}` : `--no-${name}`;
  });
}

/** Parses a flag that may be repeated. */
export function repeated(text: string, texts: readonly string[] = []): readonly string[] {
  return [...texts, text];
}

/** Parses a flag that may be repeated, each time with a comma-separated list. */
export function repeatedList(text: string, texts: readonly string[] = []): readonly string[] {
  const parts = text.split(",").map((part) => part.trim());
  return [...texts, ...parts.filter((part) => part !== "")];
}

/** The parser of a flag whose value is a whole number from 1 to `most`. */
export function wholeNumber(flag: string, most: number): (text: string) => number {
  return (text) => {
    if (/^[1-9]\d{0,8}$/.test(text) && Number(text) <= most) return Number(text);
    throw new UsageError(`${flag} "${text}" is not a whole number from 1 to ${most}.`);
  };
}

/** Adds `--wait-timeout`, in seconds. */
export function waitTimeoutFlag(command: Command, description = "how long"): Command {
  const parser = wholeNumber("--wait-timeout", 999_999);
  return command.option("--wait-timeout <seconds>", description, parser, 600);
}

export interface ConfigFlags {
  readonly config?: string;
}

/** Adds `--config`, the file that `readConfig` reads. */
export function configFlag(command: Command): Command {
  return command.option(
    "--config <file>",
    "a configuration file in clusterctl's form, or its https URL; rookery.yaml or clusterctl.yaml of " +
      "$XDG_CONFIG_HOME/cluster-api or ~/.cluster-api where absent",
  );
}

/** Throws UsageError where both options of a pair are set. */
export function rejectPairs<Options extends object>(
  options: Options,
  pairs: readonly (readonly [keyof Options & string, keyof Options & string])[],
): void {
  for (const [first, second] of pairs) {
    if (options[first] === undefined || options[second] === undefined) continue;
    throw new UsageError(`${flagOf(first)} and ${flagOf(second)} do not go together.`);
  }
}

/** "--to-kubeconfig" of "toKubeconfig". */
function flagOf(option: string): string {
  return `--${option.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}
