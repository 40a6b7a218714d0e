import { existsSync } from "node:fs";
import { lstat, readdir, readFile, readlink, rm } from "node:fs/promises";
import { join } from "node:path";
import { removeFolder } from "../process/remove-folder.ts";

/** Folders that containerd, kubelet and CNI make at places of their own choice. */
const folders = [
  "/opt/containerd",
  "/run/containerd",
  "/run/netns",
  "/usr/libexec/kubernetes",
  "/var/lib/cni",
  "/var/lib/containerd",
  "/var/lib/kubelet",
  "/var/log/containers",
  "/var/log/pods",
];

/** Those that are not there yet. */
export function missingFolders(): string[] {
  return folders.filter((folder) => !existsSync(folder));
}

/**
 * The sockets of the shims of a containerd, which lie outside of its folders. A shim that is killed
 * leaves its socket, and only the containerd's state knows which it was.
 */
export async function shimSockets(state: string): Promise<string[]> {
  const tasks = join(state, "io.containerd.runtime.v2.task", "k8s.io");
  const names = await readdir(tasks).catch(() => []);
  const addresses = names.map((name) =>
    readFile(join(tasks, name, "address"), "utf8").catch(() => ""),
  );
  const sockets = (await Promise.all(addresses)).map((address) => address.replace("unix://", ""));
  return sockets.filter((socket) => socket !== "");
}

/** Removes what a node with this folder and network left in folders that others use, too. */
export async function removeTraces(folder: string, cniName: string): Promise<void> {
  await removeFrom("/var/lib/cni/results", async ({ name }) => name.startsWith(`${cniName}-`));
  await removeFrom("/var/log/containers", async ({ path }) => {
    const link = (await lstat(path)).isSymbolicLink() ? await readlink(path) : "";
    return link.startsWith(`${folder}/`);
  });
}

/** Removes the folders that were not there before a node came. */
export async function removeNewFolders(newFolders: readonly string[]): Promise<void> {
  for (const folder of newFolders) {
    if (folders.includes(folder)) await removeFolder(folder);
  }
}

async function removeFrom(
  folder: string,
  isOurs: (file: { readonly path: string; readonly name: string }) => Promise<boolean>,
): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    const path = join(folder, name);
    if (await isOurs({ path, name })) await rm(path, { force: true });
  }
}
