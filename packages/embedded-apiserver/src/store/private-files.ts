import {
  chmodSync,
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  ftruncateSync,
  lstatSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";

/** Private entries of a data folder. */
const privateEntries: ReadonlySet<string> = new Set([
  ...["store.sqlite", "store.sqlite-wal", "store.sqlite-shm", "store.sqlite-journal"],
  ...["holder", "pki", "kubeconfig", "local.json", "local.json.new", "networks.json", "images"],
  ...["rookery.log", "rookery.log.old"],
]);
/** Folders that pods of other users work in; only their owner may list them. */
const closedFolders: ReadonlySet<string> = new Set(["node", "volumes"]);

/** Whether the embedded Kubernetes creates an entry of this name in a data folder. */
export function isDataEntry(name: string): boolean {
  return privateEntries.has(name) || closedFolders.has(name);
}

/**
 * Removes other users' permissions from an existing data folder. The folder itself is changed only
 * if it has no foreign files.
 */
export function tightenData(folder: string): void {
  const names = readdirSync(folder);
  if (names.every(isDataEntry)) tighten(folder);
  for (const name of names) {
    if (closedFolders.has(name)) tighten(join(folder, name));
    if (privateEntries.has(name)) tightenAll(join(folder, name));
    if (name === "node") tightenAll(join(folder, name, "logs"));
  }
}

function tightenAll(path: string): void {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (!stats) return;
  tighten(path);
  if (!stats.isDirectory()) return;
  for (const name of readdirSync(path)) tightenAll(join(path, name));
}

/** Skips links, and shared folders such as /tmp. */
function tighten(path: string): void {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (!stats?.isDirectory() && !stats?.isFile()) return;
  const isShared = stats.isDirectory() && (stats.mode & 0o1000) !== 0;
  if ((stats.mode & 0o077) === 0 || isShared || stats.uid !== process.getuid?.()) return;
  chmodSync(path, stats.mode & 0o700);
}

/** Opens a file for appending and makes it private. */
export function openPrivateFile(file: string): number {
  const opened = openSync(file, "a", 0o600);
  makePrivate(opened);
  return opened;
}

/** Writes a private file in place. */
export function writePrivateFile(file: string, text: string): void {
  const opened = openSync(file, constants.O_WRONLY | constants.O_CREAT, 0o600);
  try {
    makePrivate(opened);
    if (fstatSync(opened).isFile()) ftruncateSync(opened);
    writeFileSync(opened, text);
  } finally {
    closeSync(opened);
  }
}

/** Replaces a private file atomically. */
export function replacePrivateFile(file: string, text: string): void {
  const draft = `${file}.new`;
  // A leftover of a killed process may have other permissions.
  rmSync(draft, { force: true });
  writeFileSync(draft, text, { flag: "wx", mode: 0o600 });
  renameSync(draft, file);
}

/** Called before writing. Skips devices and foreign files. */
function makePrivate(opened: number): void {
  const stats = fstatSync(opened);
  if (!stats.isFile() || (stats.mode & 0o077) === 0 || stats.uid !== process.getuid?.()) return;
  fchmodSync(opened, 0o600);
}
