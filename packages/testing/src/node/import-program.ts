import { existsSync } from "node:fs";
import {
  chmod,
  copyFile,
  link,
  mkdir,
  realpath,
  rename,
  symlink,
  writeFile,
} from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { type Image, imageContent, type TarEntry } from "@rookery/packaging";
import { runCommand } from "../process/command.ts";
import { rookeryMain } from "./start-embedded-node.ts";

/**
 * Imports an image into the embedded node of a folder, where it is a program of this machine. Rookery's
 * own image is always present.
 */
export async function importProgram(folder: string, image: Image): Promise<void> {
  if (/^rookery(:|$)/.test(basename(image.name))) return;
  const root = join(dirname(folder), "images", imageContent(image));
  if (!existsSync(root)) await unpack(image, root);
  const named = `${image.name}=${join(root, entryPoint)}`;
  await runCommand(process.execPath, [
    ...[rookeryMain, "local", "up", "--data", folder],
    ...["--image", named],
  ]);
}

/** A folder with all programs of an image side by side, by which commands such as "/manager" are found. */
const programs = "rookery-programs";
const entryPoint = join(programs, "rookery-entrypoint");

async function unpack(image: Image, root: string): Promise<void> {
  const unfinished = `${root}.${process.pid}`;
  await mkdir(unfinished, { recursive: true });
  await mkdir(join(unfinished, programs), { recursive: true });
  for (const entry of image.entries) {
    await place(entry, join(unfinished, entry.path));
    if (isProgram(entry)) {
      await symlink(join(root, entry.path), join(unfinished, programs, basename(entry.path)));
    }
  }
  await writeFile(join(unfinished, entryPoint), script(image, { root, unfinished }));
  await chmod(join(unfinished, entryPoint), 0o755);
  // Another process may have imported the same image meanwhile.
  await rename(unfinished, root).catch((error: unknown) => {
    if (!existsSync(root)) throw error;
  });
}

function isProgram(entry: TarEntry): boolean {
  return "link" in entry || ("mode" in entry && !("folder" in entry) && entry.mode === 0o755);
}

async function place(entry: TarEntry, path: string): Promise<void> {
  await mkdir("folder" in entry ? path : dirname(path), { recursive: true });
  if ("link" in entry) await symlink(entry.link, path);
  if ("source" in entry) await give(entry.source, path);
  if ("content" in entry) await writeFile(path, entry.content, { mode: entry.mode ?? 0o644 });
  if ("chunks" in entry) await writeFile(path, entry.chunks);
}

/** Creates a hard link or copy: pods of other users may not enter its folder, such as one below /root. */
async function give(source: string, path: string): Promise<void> {
  const file = await realpath(source);
  await link(file, path).catch(() => copyFile(file, path));
}

/** The image's entry point with its variables, of which those of a container win. */
function script(
  { entrypoint, env = {} }: Image,
  { root, unfinished }: { readonly root: string; readonly unfinished: string },
): string {
  const { PATH = "", ...variables } = env;
  const folders = PATH.split(":").filter(Boolean);
  const words = entrypoint.map((word) =>
    existsSync(join(unfinished, word)) ? join(root, word) : word,
  );
  return [
    "#!/bin/sh",
    `export PATH=${[...folders.map((folder) => quoted(join(root, folder))), '"$PATH"'].join(":")}`,
    ...Object.entries(variables).map(([name, value]) => `export ${name}="\${${name}-${value}}"`),
    `exec ${words.map(quoted).join(" ")} "$@"\n`,
  ].join("\n");
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}
