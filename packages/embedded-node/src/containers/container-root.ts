import {
  chmodSync,
  type Dirent,
  lstatSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import type { MountTools } from "../processes/mount-mode.ts";
import { type RunAs, userFlags } from "../processes/run-as.ts";
import { makeBeneath } from "../volumes/beneath.ts";

/** One mount of a container. */
export interface ContainerMount {
  readonly source: string;
  readonly target: string;
  readonly readOnly: boolean;
  /** The real path of the volume that the source has to be in when it is mounted, whatever links there are by then. */
  readonly within?: string;
}

/** Devices that containers have, as container runtimes give them; the rest of /dev is not there. */
const devices = [
  "null",
  "zero",
  "full",
  "random",
  "urandom",
  "tty",
  "ptmx",
  "pts",
  "shm",
  "mqueue",
];
const deviceLinks = { fd: "/proc/self/fd", stdin: "fd/0", stdout: "fd/1", stderr: "fd/2" };

/**
 * Makes the root folder of a container: all that the machine has, seen through mounts, with places
 * where volumes are mounted that the machine itself does not have. What the container writes beside
 * volumes and the machine's own folders is in this folder and goes with it. At once and not step by
 * step: of hundreds of small files each takes ten times as long where another thread is asked for it.
 */
export function createRoot(root: string, mounts: readonly ContainerMount[]): void {
  rmSync(root, { recursive: true, force: true });
  mkdirSync(dirname(root), { recursive: true });
  const placed = mounts.map(placeOf);
  const opened = new Set(["/", "/dev", ...placed.flatMap(({ opened }) => opened)]);
  const lines: string[] = [];
  for (const folder of [...opened].sort()) openFolder(root, folder, { opened, lines });
  writeFileSync(`${root}.machine`, lines.join(""));
  const ordered = placed.sort((one, other) => one.target.length - other.target.length);
  for (const { mount, target } of ordered) makePlace(root, { mount, target, ordered });
  const parts = makeParts(root, ordered);
  const volumeLines = ordered.map(({ mount, target }) => {
    const source = parts.get(mount) ?? mount.source;
    return mountLine(root, { ...mount, source, target });
  });
  writeFileSync(`${root}.volumes`, volumeLines.join(""));
}

/** Where parts of volumes are mounted first, each by what was opened and found to be in its place. */
function makeParts(root: string, ordered: readonly Placed[]): Map<ContainerMount, string> {
  const folder = `${root}.parts`;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  const mounts = ordered.flatMap(({ mount }) => (mount.within === undefined ? [] : [mount]));
  for (const [index, { source }] of mounts.entries()) {
    if (statSync(source).isDirectory()) mkdirSync(join(folder, `${index}`));
    else writeFileSync(join(folder, `${index}`), "");
  }
  writeFileSync(
    `${root}.sources`,
    mounts.map(({ within, source }) => `${within}\n${source}\n`).join(""),
  );
  return new Map(mounts.map((mount, index) => [mount, join(folder, `${index}`)]));
}

interface Placed {
  readonly mount: ContainerMount;
  /** Where it really is: links of the machine are followed. */
  readonly target: string;
  /** Folders of which the container has its own, because the machine's lacks the place. */
  readonly opened: readonly string[];
}

function placeOf(mount: ContainerMount): Placed {
  let existing = mount.target;
  while (!exists(existing)) existing = dirname(existing);
  const real = realpathSync(existing);
  const target = join(real, relative(existing, mount.target));
  const folder = real === target ? undefined : real;
  return { mount, target, opened: folder === undefined ? [] : ancestors(folder) };
}

function ancestors(folder: string): string[] {
  return folder === "/" ? ["/"] : [...ancestors(dirname(folder)), folder];
}

interface Opening {
  readonly opened: ReadonlySet<string>;
  readonly lines: string[];
}

function openFolder(root: string, folder: string, { opened, lines }: Opening): void {
  mkdirSync(join(root, folder), { recursive: true });
  // For any user, whatever this process makes its own files with.
  chmodSync(join(root, folder), 0o755);
  const entries = readdirSync(folder, { withFileTypes: true });
  const seen = folder === "/dev" ? entries.filter(({ name }) => devices.includes(name)) : entries;
  for (const entry of seen) {
    const source = join(folder, entry.name);
    if (opened.has(source) || !makeEntry(join(root, source), { entry, source })) continue;
    lines.push(mountLine(root, { source, target: source, readOnly: false }));
  }
  if (folder !== "/dev") return;
  for (const [name, to] of Object.entries(deviceLinks)) symlinkSync(to, join(root, "dev", name));
}

/** Whether something has to be mounted there. */
function makeEntry(
  path: string,
  { entry, source }: { readonly entry: Dirent; readonly source: string },
): boolean {
  if (entry.isSymbolicLink()) {
    symlinkSync(readlinkSync(source), path);
    return false;
  }
  if (entry.isDirectory()) mkdirSync(path);
  else writeFileSync(path, "");
  return true;
}

interface Making {
  readonly mount: ContainerMount;
  readonly target: string;
  readonly ordered: readonly Placed[];
}

/** The place of a mount: in the root folder, or in the volume that is mounted above it. */
function makePlace(root: string, { mount, target, ordered }: Making): void {
  const above = ordered.filter((one) => target.startsWith(`${one.target}/`)).at(-1);
  // What the machine has is seen through its own mount.
  if (!above && exists(target)) return;
  const make = statSync(mount.source).isDirectory() ? "folder" : "file";
  // What is mounted above may hold links that its pod has made.
  if (above) makeBeneath(above.mount.source, relative(above.target, target), { make });
  else makeBeneath(root, target, { make });
}

function mountLine(root: string, { source, target, readOnly }: ContainerMount): string {
  const options = readOnly ? "rbind,ro" : "rbind";
  return `${escaped(source)} ${escaped(join(root, target))} none ${options} 0 0\n`;
}

/** As fstab(5) wants it. */
function escaped(path: string): string {
  return path.replace(/[\s\\#]/g, (one) => `\\${one.charCodeAt(0).toString(8).padStart(3, "0")}`);
}

function exists(path: string): boolean {
  try {
    lstatSync(path);
    return true;
  } catch {
    return false;
  }
}

/** Mounts are in a namespace of the process and end with it; each step is the process itself. */
const script = `
root=$1 mount=$2 chroot=$3 folder=$4 user=$5 parts=0; shift 5
while IFS= read -r within && IFS= read -r source; do
  exec 9<"$source" || exit 125
  case "$(readlink /proc/self/fd/9)" in
    "$within" | "$within"/*) ;;
    *) echo "a subPath does not stay in its volume" >&2; exit 125 ;;
  esac
  "$mount" -c --rbind /proc/self/fd/9 "$root.parts/$parts" || exit 125
  exec 9<&-
  parts=$((parts + 1))
done <"$root.sources"
"$mount" -a -T "$root.machine" 2>/dev/null
"$mount" -a -T "$root.volumes" || exit 125
exec "$chroot" $user "$root" /bin/sh -c 'cd "$1" && shift && exec "$@"' sh "$folder" "$@"`;

export interface InRoot {
  readonly command: readonly string[];
  readonly cwd: string;
  readonly user: RunAs | undefined;
  /** By programs that run as their owner, such as sudo. */
  readonly mayGainPrivileges: boolean;
}

/** The command that runs another one in a root folder. */
export function inRoot(
  root: string,
  tools: MountTools,
  { command, cwd, user, mayGainPrivileges }: InRoot,
): readonly string[] {
  const { unshare, mount, chroot, setpriv, flags } = tools;
  const shell = ["/bin/sh", "-c", script, basename(root), root, mount, chroot, cwd];
  const limits = !mayGainPrivileges && setpriv ? [setpriv, "--no-new-privs"] : [];
  return [unshare, ...flags, ...limits, ...shell, userFlags(user), ...command];
}
