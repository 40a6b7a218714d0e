import { spawnSync } from "node:child_process";
import { lchownSync, lstatSync, readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { makeFolder, runsNonRoot } from "@rookery/local";
import type { CommandIo } from "../command.ts";
import { LocalFolderError, LocalRunError } from "../errors.ts";
import { isDataFolder, whyNot } from "../local/data-folder.ts";
import { startFolder } from "../local/flags.ts";

/** The user of Rookery's image. */
const ordinary = 65_532;
// Not /var/lib/rookery: control planes mount a volume there, which would hide the program.
const home = "/var/lib/rookery-start";

const waysOut =
  'start it as an ordinary user (in a container by "docker run --user node"), or let root mount ' +
  '("docker run --cap-add SYS_ADMIN")';

/**
 * Replaces this process by one of an ordinary user if root may not mount, as in most containers: the
 * pods of the plane must not run as root. Returns if they can run. Throws LocalRunError and
 * LocalFolderError.
 */
export async function leaveBoundRoot(data: string, io: CommandIo): Promise<void> {
  if (runsNonRoot()) return;
  const isDefault = data === resolve(startFolder(io.env));
  if (!isDefault) await isDataFolder(data);
  const [, main = ""] = process.argv;
  assertReads(main);
  if (!isDefault) {
    giveFolder(data);
    assertReads(data);
  }
  giveFolder(home);
  io.writeError(
    `Continuing as user ${ordinary}: pods of the plane must not run as root, and root can't mount here\n`,
  );
  if (isDefault && (await isDataFolder(data))) {
    io.writeError(`The data of root in ${data} stays there unused\n`);
  }
  becomeOrdinary();
}

/** Changes the owner from root to the ordinary user; another owner's folder stays unchanged. */
function giveFolder(folder: string): void {
  try {
    makeFolder(folder, { mode: 0o700 });
    if (lstatSync(folder).uid === 0) giveAll(folder);
  } catch (error) {
    throw new LocalFolderError(folder, whyNot(error), error);
  }
}

/** Follows no links. Files of other users belong to pods, and stay theirs. */
function giveAll(path: string): void {
  const found = lstatSync(path);
  if (found.uid === 0) lchownSync(path, ordinary, ordinary);
  if (!found.isDirectory()) return;
  for (const name of readdirSync(path)) giveAll(join(path, name));
}

/** Throws LocalRunError if the user can't read a path, such as one below /root. */
function assertReads(path: string): void {
  const script = "require('node:fs').accessSync(process.argv[1], 4)";
  const tried = spawnSync(process.execPath, ["--eval", script, path], {
    uid: ordinary,
    gid: ordinary,
    cwd: "/",
    stdio: "ignore",
    env: { NODE_DISABLE_COMPILE_CACHE: "1" },
  });
  if (tried.status === 0) return;
  throw new LocalRunError(
    `could not start: the pods of the plane must not run as root, root can't mount here, and user ${ordinary} ` +
      `can't read ${path}; move Rookery and its data to folders that this user may enter, ${waysOut}`,
  );
}

function becomeOrdinary(): never {
  const { XDG_CACHE_HOME, XDG_CONFIG_HOME, XDG_DATA_HOME, XDG_STATE_HOME, ...rest } = process.env;
  const { execve, execPath, execArgv, argv } = process;
  try {
    process.setgroups?.([]);
    process.setgid?.(ordinary);
    process.setuid?.(ordinary);
  } catch (cause) {
    throw new LocalRunError(
      "could not start: the pods of the plane must not run as root, and root can't mount or switch users here; " +
        waysOut,
      { cause },
    );
  }
  if (!execve) throw new LocalRunError(`could not start: this system has no execve; ${waysOut}`);
  // Files of this process in /proc belong to root until it executes another program.
  return execve(execPath, [execPath, ...execArgv, ...argv.slice(1)], { ...rest, HOME: home });
}
