import { existsSync } from "node:fs";
import { lstat, readdir, readFile, readlink, rm, rmdir } from "node:fs/promises";
import { join } from "node:path";
import { nodeNetwork } from "./network.ts";

const cniResults = "/var/lib/cni/results";
const kubeletSocket = "/var/lib/kubelet/device-plugins/kubelet.sock";
const containerLogs = "/var/log/containers";

/** Folders that containerd, kubelet and CNI use regardless of their configuration. */
const folders = ["/run/containerd", "/var/lib/cni", "/var/lib/kubelet", containerLogs];

/** Those that are not there yet. */
export function missingFolders(): string[] {
  return folders.filter((folder) => !existsSync(folder));
}

/** Identifies the files of a node among the files of others in those folders. */
export interface Traces {
  readonly folder: string;
  /** The state folder of its containerd. */
  readonly state: string;
  /** Those of the folders that were not there before. */
  readonly newFolders: readonly string[];
}

/** Removes the traces of a node; needs its folder still to be there. */
export async function removeTraces(traces: Traces): Promise<void> {
  const files = [
    ...(await shimSockets(traces.state)),
    ...(await resultFiles()),
    ...(await logLinks(traces.folder)),
    ...(traces.newFolders.includes("/var/lib/kubelet") ? [kubeletSocket] : []),
  ];
  for (const file of files) await rm(file, { force: true });
  for (const folder of traces.newFolders) await removeIfEmpty(folder);
}

/** A shim that is killed leaves its socket, and only its containerd's state says which it was. */
async function shimSockets(state: string): Promise<string[]> {
  const tasks = join(state, "io.containerd.runtime.v2.task", "k8s.io");
  const names = await readdir(tasks).catch(() => []);
  const addresses = names.map((name) =>
    readFile(join(tasks, name, "address"), "utf8").catch(() => ""),
  );
  const sockets = (await Promise.all(addresses)).map((address) => address.replace("unix://", ""));
  return sockets.filter((socket) => socket !== "");
}

/** CNI's files about the sandboxes of our network, including loopback devices. */
async function resultFiles(): Promise<string[]> {
  const names = await readdir(cniResults).catch(() => []);
  const ours = new RegExp(`^${nodeNetwork.cniName}-(\\w+)-eth0$`);
  const sandboxes = names.flatMap((name) => ours.exec(name)?.[1] ?? []);
  const isOurs = (name: string) => sandboxes.some((sandbox) => name.includes(sandbox));
  return names.filter(isOurs).map((name) => join(cniResults, name));
}

async function logLinks(folder: string): Promise<string[]> {
  const names = await readdir(containerLogs).catch(() => []);
  const targets = names.map(async (name) => {
    const path = join(containerLogs, name);
    const isLink = (await lstat(path)).isSymbolicLink();
    return { path, target: isLink ? await readlink(path) : "" };
  });
  const links = await Promise.all(targets);
  return links.filter(({ target }) => target.startsWith(`${folder}/`)).map(({ path }) => path);
}

/** Removes a folder and those in it, unless there is a file, which another program created. */
async function removeIfEmpty(folder: string): Promise<void> {
  const items = await readdir(folder, { withFileTypes: true }).catch(() => []);
  for (const item of items) {
    if (item.isDirectory()) await removeIfEmpty(join(folder, item.name));
  }
  await rmdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOTEMPTY" && error.code !== "ENOENT") throw error;
  });
}
