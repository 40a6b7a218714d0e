import type { Dirent } from "node:fs";
import {
  lstat,
  mkdir,
  readdir,
  readlink,
  realpath,
  rm,
  symlink,
  writeFile,
} from "node:fs/promises";
import { basename, dirname, join, relative } from "node:path";
import type { MountTools } from "./mount-mode.ts";

/** What is seen where in a container. */
export interface ContainerMount {
  readonly source: string;
  readonly target: string;
  readonly readOnly: boolean;
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
 * volumes and the machine's own folders is in this folder and goes with it.
 */
export async function createRoot(root: string, mounts: readonly ContainerMount[]): Promise<void> {
  await rm(root, { recursive: true, force: true });
  await mkdir(root, { recursive: true });
  const placed = await Promise.all(mounts.map(placeOf));
  const opened = new Set(["/", "/dev", ...placed.flatMap(({ opened }) => opened)]);
  const lines: string[] = [];
  for (const folder of [...opened].sort()) await openFolder(root, folder, { opened, lines });
  await writeFile(`${root}.machine`, lines.join(""));
  const ordered = placed.sort((one, other) => one.target.length - other.target.length);
  for (const { mount, target } of ordered) await makePlace(root, { mount, target, ordered });
  const volumeLines = ordered.map(({ mount, target }) => mountLine(root, { ...mount, target }));
  await writeFile(`${root}.volumes`, volumeLines.join(""));
}

interface Placed {
  readonly mount: ContainerMount;
  /** Where it really is: links of the machine are followed. */
  readonly target: string;
  /** Folders of which the container has its own, because the machine's lacks the place. */
  readonly opened: readonly string[];
}

async function placeOf(mount: ContainerMount): Promise<Placed> {
  let existing = mount.target;
  while (!(await exists(existing))) existing = dirname(existing);
  const real = await realpath(existing);
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

async function openFolder(root: string, folder: string, { opened, lines }: Opening): Promise<void> {
  await mkdir(join(root, folder), { recursive: true });
  const entries = await readdir(folder, { withFileTypes: true });
  const seen = folder === "/dev" ? entries.filter(({ name }) => devices.includes(name)) : entries;
  // All at once: there are hundreds in some folders, and whoever starts waits for them.
  const made = await Promise.all(
    seen.map(async (entry) => {
      const source = join(folder, entry.name);
      const isMount =
        !opened.has(source) && (await makeEntry(join(root, source), { entry, source }));
      return isMount ? [mountLine(root, { source, target: source, readOnly: false })] : [];
    }),
  );
  lines.push(...made.flat());
  if (folder !== "/dev") return;
  for (const [name, to] of Object.entries(deviceLinks)) await symlink(to, join(root, "dev", name));
}

/** Whether something has to be mounted there. */
async function makeEntry(
  path: string,
  { entry, source }: { readonly entry: Dirent; readonly source: string },
): Promise<boolean> {
  if (entry.isSymbolicLink()) {
    await symlink(await readlink(source), path);
    return false;
  }
  if (entry.isDirectory()) await mkdir(path);
  else await writeFile(path, "");
  return true;
}

interface Making {
  readonly mount: ContainerMount;
  readonly target: string;
  readonly ordered: readonly Placed[];
}

/** The place of a mount: in the root folder, or in the volume that is mounted above it. */
async function makePlace(root: string, { mount, target, ordered }: Making): Promise<void> {
  const above = ordered.filter((one) => target.startsWith(`${one.target}/`)).at(-1);
  const place = above
    ? join(above.mount.source, relative(above.target, target))
    : join(root, target);
  // What the machine has is seen through its own mount.
  if (!above && (await exists(target))) return;
  if (await exists(place)) return;
  if (await isFolder(mount.source)) await mkdir(place, { recursive: true });
  else {
    await mkdir(dirname(place), { recursive: true });
    await writeFile(place, "");
  }
}

function mountLine(root: string, { source, target, readOnly }: ContainerMount): string {
  const options = readOnly ? "rbind,ro" : "rbind";
  return `${escaped(source)} ${escaped(join(root, target))} none ${options} 0 0\n`;
}

/** As fstab(5) wants it. */
function escaped(path: string): string {
  return path.replace(/[\s\\#]/g, (one) => `\\${one.charCodeAt(0).toString(8).padStart(3, "0")}`);
}

function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}

async function isFolder(path: string): Promise<boolean> {
  return (await lstat(path)).isDirectory();
}

/** Mounts are in a namespace of the process and end with it; each step is the process itself. */
const script = `
root=$1 mount=$2 chroot=$3 folder=$4; shift 4
"$mount" -a -T "$root.machine" 2>/dev/null
"$mount" -a -T "$root.volumes" || exit 125
exec "$chroot" "$root" /bin/sh -c 'cd "$1" && shift && exec "$@"' sh "$folder" "$@"`;

/** The command that runs another one in a root folder. */
export function inRoot(
  root: string,
  tools: MountTools,
  { command, cwd }: { readonly command: readonly string[]; readonly cwd: string },
): readonly string[] {
  const { unshare, mount, chroot, flags } = tools;
  const shell = ["/bin/sh", "-c", script, basename(root), root, mount, chroot, cwd];
  return [unshare, ...flags, ...shell, ...command];
}
