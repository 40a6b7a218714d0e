import { access } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import type { CommandIo } from "../command.ts";

/** Ours wins, wherever it is. */
const names = ["rookery.yaml", "rookery.yml", "clusterctl.yaml", "clusterctl.yml"];

/** The file that is read where none is named; undefined where there is none. */
export function findConfigFile(io: Pick<CommandIo, "env">): Promise<string | undefined> {
  return firstThere(names.flatMap((name) => foldersOf(io).map((folder) => join(folder, name))));
}

/** Where files are that take the place of those of repositories, where no configuration says it. */
export async function usualOverridesFolder(io: Pick<CommandIo, "env">): Promise<string> {
  const places = foldersOf(io).map((folder) => join(folder, "overrides"));
  return (await firstThere(places)) ?? places[0] ?? "";
}

/** Clusterctl's own places. */
function foldersOf({ env }: Pick<CommandIo, "env">): readonly string[] {
  const home = env.HOME || homedir();
  return [
    join(env.XDG_CONFIG_HOME || join(home, ".config"), "cluster-api"),
    join(home, ".cluster-api"),
  ];
}

async function firstThere(paths: readonly string[]): Promise<string | undefined> {
  for (const path of paths) {
    const isThere = await access(path).then(
      () => true,
      () => false,
    );
    if (isThere) return path;
  }
  return undefined;
}
