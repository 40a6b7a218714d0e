import { durationToMilliseconds, ParseError, parseDuration } from "@rookery/kube";
import { BindAddressError } from "../errors.ts";
import { type BindAddress, parseBindAddress } from "../http-server/bind-address.ts";
import { type Flag, FlagValueError } from "./flag.ts";

interface Settings<D> {
  readonly default: D;
  readonly help: string;
}

/** A flag with one value. The last one counts, as in Go. */
function singleFlag<T>(
  { default: text, help }: Settings<string>,
  valueName: string,
  read: (value: string) => T,
): Flag<T> {
  return {
    help,
    valueName,
    ...(text !== "" && { defaultText: text }),
    parse: (values) => (values.length === 0 ? [text] : values).map(read).at(-1) as T,
  };
}

/** Any text. */
export function stringFlag(settings: Settings<string>): Flag<string> {
  return singleFlag(settings, "string", (value) => value);
}

/** A switch: `--flag` or `--flag=false`. */
export function booleanFlag({ default: fallback, help }: Settings<boolean>): Flag<boolean> {
  return {
    help,
    ...(fallback && { defaultText: "true" }),
    parse: (values) => values.map(readBoolean).at(-1) ?? fallback,
  };
}

/** A whole number within limits. */
export function integerFlag(
  settings: Settings<number>,
  { min, max = Number.MAX_SAFE_INTEGER }: { min: number; max?: number },
): Flag<number> {
  const isLimited = max < Number.MAX_SAFE_INTEGER;
  const allowed = `a whole number ${isLimited ? `from ${min} to ${max}` : `of at least ${min}`}`;
  const text = { ...settings, default: `${settings.default}` };
  return singleFlag(text, "int", (value) => {
    const number = /^[+-]?\d+$/.test(value) ? Number(value) : Number.NaN;
    if (number >= min && number <= max) return number;
    throw new FlagValueError(value, `it must be ${allowed}`);
  });
}

/** A duration in Go's syntax, in milliseconds and above zero. */
export function durationFlag(settings: Settings<string>): Flag<number> {
  return singleFlag(settings, "duration", (value) => {
    const milliseconds = readDuration(value);
    if (milliseconds > 0) return milliseconds;
    throw new FlagValueError(value, "it must be a duration above zero, such as 90s, 15m or 1h30m");
  });
}

/** An address to listen on; "0" or "" for no server. */
export function addressFlag(settings: Settings<string>): Flag<BindAddress | undefined> {
  return singleFlag(settings, "address", (value) => {
    try {
      return parseBindAddress(value);
    } catch (error) {
      if (!(error instanceof BindAddressError)) throw error;
      const form = '"host:port", ":port" for every address, or "0" for none';
      throw new FlagValueError(value, `it must be ${form}`);
    }
  });
}

/** A list of texts: the flag may be repeated, and each value may contain several, separated by commas. */
export function listFlag({ help }: { help: string }): Flag<readonly string[]> {
  const parse = (values: readonly string[]) => values.flatMap((value) => value.split(","));
  return { help, valueName: "strings", parse };
}

/** Reads a boolean like Go's strconv.ParseBool. */
export function readBoolean(value: string): boolean {
  if (/^(1|t|T|true|TRUE|True)$/.test(value)) return true;
  if (/^(0|f|F|false|FALSE|False)$/.test(value)) return false;
  throw new FlagValueError(value, "it must be true or false");
}

function readDuration(value: string): number {
  try {
    return durationToMilliseconds(parseDuration(value));
  } catch (error) {
    if (!(error instanceof ParseError)) throw error;
    const allowed = "it must be a duration such as 90s, 15m or 1h30m";
    throw new FlagValueError(value, `${allowed}: ${error.reason}`);
  }
}
