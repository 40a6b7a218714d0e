import type { Stats } from "node:fs";
import { mkdir, stat, writeFile } from "node:fs/promises";
import type { HostPathVolumeSource } from "@rookery/api";
import { VolumeError } from "./volume-files.ts";

const kinds: Readonly<Record<string, readonly [string, (stats: Stats) => boolean]>> = {
  Directory: ["a directory", (stats) => stats.isDirectory()],
  DirectoryOrCreate: ["a directory", (stats) => stats.isDirectory()],
  File: ["a file", (stats) => stats.isFile()],
  FileOrCreate: ["a file", (stats) => stats.isFile()],
  Socket: ["a socket file", (stats) => stats.isSocket()],
  CharDevice: ["a character device", (stats) => stats.isCharacterDevice()],
  BlockDevice: ["a block device", (stats) => stats.isBlockDevice()],
};

/** The path of a hostPath volume, of the type that it asks for. Rejects with VolumeError. */
export async function hostPath({ path = "/", type }: HostPathVolumeSource): Promise<string> {
  if (type === "DirectoryOrCreate") await mkdir(path, { recursive: true, mode: 0o755 });
  if (type === "FileOrCreate") await writeFile(path, "", { flag: "a", mode: 0o644 });
  if (!type) {
    // What is not there becomes a folder, as container runtimes do it.
    await mkdir(path, { recursive: true }).catch(() => {});
    return path;
  }
  const [text, isKind] = kinds[type] ?? [];
  const stats = await stat(path).catch(() => undefined);
  if (stats && isKind?.(stats)) return path;
  throw new VolumeError(`hostPath type check failed: ${path} is not ${text}`);
}
