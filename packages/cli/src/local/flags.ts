import { homedir } from "node:os";
import { join } from "node:path";
import { InvalidArgumentError } from "commander";
import type { CommandIo } from "../command.ts";
import { isFullDisk } from "./data-folder.ts";

/** Where the data of the embedded Kubernetes stays unless told otherwise. */
export function defaultFolder(env: CommandIo["env"]): string {
  return join(dataHome(env), "rookery", "local");
}

/** Where that of `rookery start` stays: beside the other, which may hold something that has to stay. */
export function startFolder(env: CommandIo["env"]): string {
  return join(dataHome(env), "rookery", "start");
}

function dataHome(env: CommandIo["env"]): string {
  return env.XDG_DATA_HOME || join(homedir(), ".local", "share");
}

export function parsePort(text: string): number {
  const port = Number(text);
  if (Number.isInteger(port) && port >= 0 && port <= 65_535 && text !== "") return port;
  throw new InvalidArgumentError("a port is a number from 0 to 65535");
}

export function parseSeconds(text: string): number {
  const seconds = Number(text);
  if (seconds > 0) return seconds;
  throw new InvalidArgumentError("it is a number of seconds, such as 300");
}

/** With the stack, which tells where to look, and the causes; of a full disk, everybody knows where to look. */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (isFullDisk(error)) return error.message;
  const { stack = error.message, cause } = error;
  return cause === undefined ? stack : `${stack}\ncaused by ${describeError(cause)}`;
}
