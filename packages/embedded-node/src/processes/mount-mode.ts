import { spawnSync } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { join } from "node:path";
import { userFlags } from "./run-as.ts";

/** The machine's tools with which a container gets mounts of its own. */
export interface MountTools {
  readonly unshare: string;
  readonly mount: string;
  readonly chroot: string;
  /** Undefined where there is none. */
  readonly setpriv: string | undefined;
  /** Of unshare: as root it needs no user namespace. */
  readonly flags: readonly string[];
  /** Whether containers can run as other users. */
  readonly canSwitch: boolean;
}

const folders = ["/usr/bin", "/bin", "/usr/sbin", "/sbin"];

/**
 * The tools by which containers get mounts of their own: as root, or where the machine lets ordinary
 * users create namespaces. Tried once, because too many settings may forbid it to check them all.
 */
export function detectMountTools(): MountTools | undefined {
  if (process.platform !== "linux") return undefined;
  const [unshare, mount, chroot] = ["unshare", "mount", "chroot"].map(findTool);
  if (!unshare || !mount || !chroot) return undefined;
  const user = process.getuid?.() === 0 ? [] : ["--map-root-user"];
  const flags = ["--mount", "--propagation", "private", ...user];
  const attempt = [...flags, "/bin/sh", "-c", `"$1" --rbind /usr /usr && "$2" / /bin/sh -c :`];
  const tried = spawnSync(unshare, [...attempt, "sh", mount, chroot], { stdio: "ignore" });
  if (tried.status !== 0) return undefined;
  const canSwitch = process.getuid?.() === 0 && switchesUsers(chroot);
  return { unshare, mount, chroot, setpriv: findTool("setpriv"), flags, canSwitch };
}

/** Whether pods with runAsNonRoot can run: the node is no root, or can switch users. */
export function runsNonRoot(): boolean {
  return process.getuid?.() !== 0 || detectMountTools()?.canSwitch === true;
}

/** Not every chroot does, and not every root may. */
function switchesUsers(chroot: string): boolean {
  const flags = userFlags({ uid: 65_532, gid: 65_532, groups: [] }).split(" ");
  const tried = spawnSync(chroot, [...flags, "/", "/bin/sh", "-c", ":"], { stdio: "ignore" });
  return tried.status === 0;
}

function findTool(name: string): string | undefined {
  return folders.map((folder) => join(folder, name)).find(isExecutable);
}

export function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
