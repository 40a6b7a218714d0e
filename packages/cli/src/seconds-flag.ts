import { Option } from "commander";
import { UsageError } from "./errors.ts";

/** A flag that takes a number of seconds. */
export function secondsFlag(flags: string, description: string, usual: number): Option {
  return new Option(flags, description).default(usual).argParser((text: string) => {
    if (/^[1-9]\d{0,5}$/.test(text)) return Number(text);
    throw new UsageError(
      `${flags.split(" ")[0]} "${text}" is not a whole number from 1 to 999999.`,
    );
  });
}
