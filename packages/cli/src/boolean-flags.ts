import { type Command, Option } from "commander";

/** Adds `--name` and, unseen, `--no-name`. */
export function booleanFlag(command: Command, name: string, description: string): Command {
  return command
    .option(name, description)
    .addOption(new Option(`--no-${longOf(name)}`).hideHelp().default(undefined));
}

/** "watch" of "-w, --watch". */
function longOf(flag: string): string {
  return flag.replace(/^.*--/, "");
}

/**
 * Lets flags be given as clusterctl's are: `--grouping=false` is `--no-grouping`, `--echo=true` is
 * `--echo`. The command has to declare both.
 */
export function withPlainBooleans(
  args: readonly string[],
  names: readonly string[],
): readonly string[] {
  return args.map((arg) => {
    const [, name = "", value = ""] = /^--([a-z0-9-]+)=(1|t|true|0|f|false)$/i.exec(arg) ?? [];
    if (!names.includes(name)) return arg;
    return /^(1|t)/i.test(value) ? `--${name}` : `--no-${name}`;
  });
}
