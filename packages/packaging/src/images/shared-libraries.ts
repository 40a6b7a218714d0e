import { execFile } from "node:child_process";
import { realpath } from "node:fs/promises";
import { basename } from "node:path";
import { promisify } from "node:util";
import type { TarEntry } from "../tar.ts";

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

/** What those libraries are called. */
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
