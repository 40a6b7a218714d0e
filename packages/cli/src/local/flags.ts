import { homedir } from "node:os";
import { join } from "node:path";
import { type Command, InvalidArgumentError } from "commander";
import type { CommandIo } from "../command.ts";

/** The port of the API server on a first start. */
export const usualPort = 6443;

/** Adds `--data`, the folder of the embedded Kubernetes. */
export function dataFlag(command: Command, env: CommandIo["env"]): Command {
  return command.option("--data <folder>", "the folder of its data", dataFolder(env, "local"));
}

/** The default folder of `rookery start`, which may be removed without the data of `rookery local`. */
export function startFolder(env: CommandIo["env"]): string {
  return dataFolder(env, "start");
}

function dataFolder(env: CommandIo["env"], name: string): string {
  return join(env.XDG_DATA_HOME || join(homedir(), ".local", "share"), "rookery", name);
}

/** Rookery's folder in the machine's cache. */
export function cacheFolder(env: CommandIo["env"]): string {
  return join(env.XDG_CACHE_HOME || join(homedir(), ".cache"), "rookery");
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
