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

/** Of the data folder: readable by their owner alone, like all that is in folders among them. */
const privateEntries: ReadonlySet<string> = new Set([
  ...["store.sqlite", "store.sqlite-wal", "store.sqlite-shm", "store.sqlite-journal"],
  ...["holder", "pki", "kubeconfig", "local.json", "local.json.new", "networks.json", "images"],
  ...["rookery.log", "rookery.log.old"],
]);
/** Pods of other users use what is below them; nobody else enters. */
const closedFolders: ReadonlySet<string> = new Set(["node", "volumes"]);

/** Whether a name in a data folder is one of those that the embedded Kubernetes gives. */
export function isDataEntry(name: string): boolean {
  return privateEntries.has(name) || closedFolders.has(name);
}

/**
 * Takes away what others may do with a data folder that is there already, whatever it was made with.
 * The folder itself stays as it is where files of somebody else are in it, too.
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

/** Never what a link leads to, nor a folder such as /tmp that is everybody's. */
function tighten(path: string): void {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (!stats?.isDirectory() && !stats?.isFile()) return;
  const isShared = stats.isDirectory() && (stats.mode & 0o1000) !== 0;
  if ((stats.mode & 0o077) === 0 || isShared || stats.uid !== process.getuid?.()) return;
  chmodSync(path, stats.mode & 0o700);
}

/** Opens a file to append to it, which its owner alone can read from then on. */
export function openPrivateFile(file: string): number {
  const opened = openSync(file, "a", 0o600);
  makePrivate(opened);
  return opened;
}

/** Writes a file in place, which its owner alone can read, whatever it was before. */
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

/** Replaces a file by a whole new one, which its owner alone can read. */
export function replacePrivateFile(file: string, text: string): void {
  const draft = `${file}.new`;
  // What a process that was killed has left may be readable by others.
  rmSync(draft, { force: true });
  writeFileSync(draft, text, { flag: "wx", mode: 0o600 });
  renameSync(draft, file);
}

/** Before anything is written to it. A device, or a file of somebody else, stays what it is. */
function makePrivate(opened: number): void {
  const stats = fstatSync(opened);
  if (!stats.isFile() || (stats.mode & 0o077) === 0 || stats.uid !== process.getuid?.()) return;
  fchmodSync(opened, 0o600);
}
