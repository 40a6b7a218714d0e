import { execFile } from "node:child_process";
import { readdir, realpath, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { promisify } from "node:util";
import { messageOf } from "@rookery/errors";
import { UnavailableError } from "../errors.ts";
import type { TarEntry } from "../tar.ts";
import { type FetchOptions, fetchPackage, lockedPackages } from "./debian-packages.ts";

/** The loader of each architecture, and the folder of its libraries. */
const places: Readonly<Record<string, { readonly loader: string; readonly folder: string }>> = {
  x64: { loader: "lib64/ld-linux-x86-64.so.2", folder: "lib/x86_64-linux-gnu" },
  arm64: { loader: "lib/ld-linux-aarch64.so.1", folder: "lib/aarch64-linux-gnu" },
};

export interface LibraryOptions extends FetchOptions {
  /** The folder for unpacked packages, which the entries refer to. */
  readonly folder: string;
  readonly arch?: string;
}

/** Libraries of the locked Debian packages, at the paths of Debian's loader. Throws UnavailableError. */
export async function lockedLibraries(
  names: readonly string[],
  { folder, arch = process.arch, ...options }: LibraryOptions,
): Promise<TarEntry[]> {
  for (const one of lockedPackages(arch)) await unpack(await fetchPackage(one, options), folder);
  const unpacked = await readdir(folder, { recursive: true });
  const files = new Map(unpacked.map((file) => [basename(file), join(folder, file)]));
  const { loader = "", folder: libraries = "" } = places[arch] ?? {};
  return Promise.all(
    names.map(async (name) => {
      const source = files.get(name);
      if (!source) throw notLocked(name);
      const path = name === basename(loader) ? loader : join(libraries, name);
      return { path, source: await realpath(source), mode: 0o755 };
    }),
  );
}

function notLocked(name: string): UnavailableError {
  return new UnavailableError(`the library ${name}`, {
    reason: "no package of the lock file has it",
    remedy: "add its package to packages/packaging/generate/debian-packages.ts and run it",
  });
}

/** A package is an ar archive; its files are in data.tar.xz. */
async function unpack(content: Buffer, folder: string): Promise<void> {
  const archive = join(folder, "data.tar.xz");
  await writeFile(archive, memberOf(content, "data.tar.xz"));
  try {
    await promisify(execFile)("tar", ["--no-same-owner", "-xJf", archive, "-C", folder]);
  } catch (cause) {
    const reason = messageOf(cause);
    const remedy = "install tar and xz-utils";
    throw new UnavailableError("the files of a Debian package", { reason, remedy, cause });
  }
}

/** One member of an ar archive. */
export function memberOf(archive: Buffer, wanted: string): Buffer {
  let at = "!<arch>\n".length;
  while (at + 60 <= archive.length) {
    const field = (from: number, to: number) =>
      archive.toString("latin1", at + from, at + to).trim();
    const size = Number(field(48, 58));
    const start = at + 60;
    if (field(0, 16).replace(/\/$/, "") === wanted) return archive.subarray(start, start + size);
    at = start + size + (size % 2);
  }
  throw new UnavailableError(`${wanted} of a Debian package`, {
    reason: "the package has no such member",
    remedy: "its compression may be another one: change packages/packaging/src/images",
  });
}

/** The shared libraries that a program needs, at the paths where it looks for them. */
export async function sharedLibraries(program: string): Promise<TarEntry[]> {
  const paths = await librariesOf(program);
  return Promise.all(
    paths.map(async (path) => ({
      path: path.slice(1),
      source: await realpath(path),
      mode: 0o755,
    })),
  );
}

export async function libraryNames(program: string): Promise<string[]> {
  return (await librariesOf(program)).map((path) => basename(path));
}

async function librariesOf(program: string): Promise<string[]> {
  const { stdout } = await promisify(execFile)("ldd", [program]);
  return librariesIn(stdout);
}

/** Reads what ldd prints: "libc.so.6 => /lib/libc.so.6 (0x…)", or the loader's path alone. */
export function librariesIn(printed: string): string[] {
  return printed.split("\n").flatMap((line) => /(\/\S+) \(0x/.exec(line)?.[1] ?? []);
}
