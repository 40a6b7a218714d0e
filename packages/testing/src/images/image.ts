import { createHash, type Hash, randomBytes } from "node:crypto";
import { createWriteStream, statSync } from "node:fs";
import { dirname } from "node:path";
import { pipeline } from "node:stream/promises";
import { type TarEntry, tarSize, writeTar } from "./tar.ts";

const architectures: Partial<Record<string, string>> = { x64: "amd64" };

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

/**
 * Writes an image as a docker-archive, which `docker load` and `ctr images import` take. Needs no
 * Docker, and the same image gives the same bytes.
 */
export async function writeImage(image: Image, file: string): Promise<void> {
  await pipeline(writeTar(imageMembers(image)), createWriteStream(file));
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

function* imageMembers(image: Image): Generator<TarEntry> {
  const entries = withFolders(image.entries);
  const hash = createHash("sha256");
  const chunks = hashing(writeTar(entries), hash);
  yield { path: "layer.tar", size: tarSize(entries), chunks };
  // Asked for after the layer was written, and with that hashed: it is read only once.
  const config = JSON.stringify(imageConfig(image, hash.digest("hex")));
  const configName = `${createHash("sha256").update(config).digest("hex")}.json`;
  yield { path: configName, content: config };
  const manifest = [{ Config: configName, RepoTags: [image.name], Layers: ["layer.tar"] }];
  yield { path: "manifest.json", content: JSON.stringify(manifest) };
}

function imageConfig(image: Image, layerDigest: string) {
  return {
    architecture: architectures[process.arch] ?? process.arch,
    os: "linux",
    created: new Date(0).toISOString(),
    config: {
      Entrypoint: image.entrypoint,
      Env: Object.entries(image.env ?? {}).map(([name, value]) => `${name}=${value}`),
      User: image.user ?? "",
      WorkingDir: image.workingDir ?? "/",
    },
    rootfs: { type: "layers", diff_ids: [`sha256:${layerDigest}`] },
    history: [{ created: new Date(0).toISOString(), created_by: "rookery" }],
  };
}

/** Sorted, each once (the last one given wins), with the folders in between before their content. */
function withFolders(entries: readonly TarEntry[]): TarEntry[] {
  const all = new Map<string, TarEntry>();
  for (const entry of entries) {
    for (let path = dirname(entry.path); path !== "."; path = dirname(path)) {
      if (!all.has(path)) all.set(path, { path, folder: true });
    }
    all.set(entry.path, entry);
  }
  return [...all.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
}

async function* hashing(chunks: AsyncIterable<Uint8Array>, hash: Hash): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    hash.update(chunk);
    yield chunk;
  }
}
