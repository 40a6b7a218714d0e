import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { text } from "node:stream/consumers";
import { LoginError } from "../errors.ts";

/** The source of the token: exactly one is set. */
export interface TokenFlags {
  readonly token?: string;
  readonly tokenFile?: string;
  readonly tokenEnv?: string;
  /** A shell command that prints the token. */
  readonly tokenCommand?: string;
}

export interface TokenSource {
  /** Identifies the source, without running a command. */
  readonly identity: string;
  /** Errors: LoginError, which never contains the token. */
  read(): Promise<string>;
}

type Environment = Readonly<Record<string, string | undefined>>;

const flagNames = {
  token: "--token",
  tokenFile: "--token-file",
  tokenEnv: "--token-env",
  tokenCommand: "--token-command",
} as const;

/** Errors: LoginError unless exactly one flag is set. */
export function tokenSource(flags: TokenFlags, env: Environment): TokenSource {
  const given = (Object.keys(flagNames) as (keyof TokenFlags)[]).filter(
    (name) => flags[name] !== undefined,
  );
  const [kind] = given;
  if (kind === undefined || given.length > 1) {
    const names = Object.values(flagNames).join(", ");
    const what = kind
      ? `${given.map((name) => flagNames[name]).join(" and ")} are given`
      : "no token is given";
    throw new LoginError(`${what}; pass one of ${names}`);
  }
  const value = flags[kind] ?? "";
  const read = async () => checked(await readers[kind](value, env), kind);
  return { identity: `${kind}=${value}`, read };
}

const readers: Record<keyof TokenFlags, (value: string, env: Environment) => Promise<string>> = {
  token: async (value) => value,
  tokenEnv: async (name, env) => env[name] ?? "",
  tokenFile: (file) => readFlagFile("--token-file", file),
  tokenCommand: runCommand,
};

/** Reads the file of a flag. Errors: LoginError. */
export async function readFlagFile(flag: string, file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new LoginError(`${flag} ${file} can't be read (${code})`);
  }
}

/** The command may use standard error and the terminal; its output is secret. */
async function runCommand(command: string, env: Environment): Promise<string> {
  const child = spawn("/bin/sh", ["-c", command], {
    env: { ...env },
    stdio: ["inherit", "pipe", "inherit"],
  });
  const closed = once(child, "close") as Promise<[code: number | null, signal: string | null]>;
  const [output, [code, signal]] = await Promise.all([text(child.stdout), closed]);
  if (code === 0) return output;
  const ending = signal === null ? `exit code ${code}` : `signal ${signal}`;
  throw new LoginError(`the command of --token-command ended with ${ending}`);
}

function checked(output: string, kind: keyof TokenFlags): string {
  const token = output.trim();
  if (token === "") throw new LoginError(`${flagNames[kind]} gives no token: it is empty`);
  if (/\s/.test(token)) throw new LoginError(`${flagNames[kind]} gives more than a token`);
  return token;
}
