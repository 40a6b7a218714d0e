import {
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fstatSync,
  lchownSync,
  lstatSync,
  openSync,
  readdirSync,
  type Stats,
} from "node:fs";
import type { PodSecurityContext } from "@rookery/api";

const readWrite = 0o660;
const folderBits = 0o2110;

/**
 * Gives a volume to the group of its pod, as a kubelet does: all in it can be read and written by the
 * group, and belongs to it. Only root can; the files of an ordinary user are that user's.
 */
export function applyFsGroup(folder: string, context: PodSecurityContext | undefined): void {
  const { fsGroup, fsGroupChangePolicy } = context ?? {};
  if (fsGroup === undefined || process.getuid?.() !== 0) return;
  if (fsGroupChangePolicy === "OnRootMismatch" && isGiven(lstatSync(folder), fsGroup)) return;
  const root = openSync(folder, constants.O_RDONLY | constants.O_DIRECTORY);
  try {
    giveFolder(root, fsGroup);
  } finally {
    closeSync(root);
  }
}

function isGiven({ gid, mode }: Stats, group: number): boolean {
  const wanted = readWrite | folderBits;
  return gid === group && (mode & wanted) === wanted;
}

/** By open file and never by name: users with write access could replace it by a link at any moment. */
function giveFolder(folder: number, group: number): void {
  const path = `/proc/self/fd/${folder}`;
  for (const { name } of readdirSync(path, { withFileTypes: true })) {
    giveEntry(`${path}/${name}`, group);
  }
  give(folder, group);
}

function giveEntry(place: string, group: number): void {
  const stats = lstatSync(place, { throwIfNoEntry: false });
  if (!stats) return;
  // Opening links would follow them, and opening sockets and the like would block.
  if (!stats.isFile() && !stats.isDirectory()) {
    lchownSync(place, stats.uid, group);
    return;
  }
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
  const opened = openSync(place, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  try {
    if (fstatSync(opened).isDirectory()) giveFolder(opened, group);
    else give(opened, group);
  } finally {
    closeSync(opened);
  }
}

function give(opened: number, group: number): void {
  const stats = fstatSync(opened);
  fchownSync(opened, stats.uid, group);
  const added = stats.isDirectory() ? readWrite | folderBits : readWrite;
  fchmodSync(opened, (stats.mode & 0o7777) | added);
}
