import { createHash, randomBytes } from "node:crypto";
import { createWriteStream, statSync } from "node:fs";
import { pipeline } from "node:stream/promises";
import { type TarEntry, writeTar } from "../tar.ts";
import { imageArchive } from "./image-archive.ts";

export interface Image {
  /** With a tag: "rookery.dev/busybox:test". */
  readonly name: string;
  /** What it holds; the folders in between are made. */
  readonly entries: readonly TarEntry[];
  readonly entrypoint: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Numbers, since an image need not have an /etc/passwd: "65532:65532". Root unless given. */
  readonly user?: string;
  readonly workingDir?: string;
}

/** Writes an image as an archive for container runtimes. Needs no Docker, and the same image gives the same bytes. */
export async function writeImage(image: Image, file: string): Promise<void> {
  await pipeline(writeTar(await imageArchive(image)), createWriteStream(file));
}

/** Names what an image holds, its own name apart: files count by place, size and time. */
export function imageContent({ name: _, entries, ...config }: Image): string {
  const hash = createHash("sha256").update(JSON.stringify(config));
  for (const entry of entries) {
    hash.update(JSON.stringify(entry));
    // What a stream will bring is not known before.
    if ("chunks" in entry) hash.update(randomBytes(16));
    if (!("source" in entry)) continue;
    const { size, mtimeMs } = statSync(entry.source);
    hash.update(`${size} ${mtimeMs}`);
  }
  return hash.digest("hex");
}
