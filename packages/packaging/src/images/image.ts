import { createHash, randomBytes } from "node:crypto";
import { createWriteStream, statSync } from "node:fs";
import { dirname } from "node:path";
import { pipeline } from "node:stream/promises";
import { type TarEntry, tarSize, writeTar } from "../tar.ts";

export interface Image {
  /** With a tag: "rookery.dev/busybox:test". */
  readonly name: string;
  /** Folders between them are added. */
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

/** A hash of an image's content without its name: of files, the path, size and time. */
export function imageContent({ name: _, entries, ...config }: Image): string {
  const hash = createHash("sha256").update(JSON.stringify(config));
  for (const entry of entries) {
    hash.update(JSON.stringify(entry));
    // The content of a stream is unknown.
    if ("chunks" in entry) hash.update(randomBytes(16));
    if (!("source" in entry)) continue;
    const { size, mtimeMs } = statSync(entry.source);
    hash.update(`${size} ${mtimeMs}`);
  }
  return hash.digest("hex");
}

const architectures: Partial<Record<string, string>> = { x64: "amd64" };
const epoch = new Date(0).toISOString();

/**
 * An image as an OCI layout (for `ctr images import` and `podman load`) and as a docker-archive (for
 * `docker load`), which share their blobs.
 */
async function imageArchive(image: Image): Promise<readonly TarEntry[]> {
  const entries = withFolders(image.entries);
  const layer = await describeLayer(entries);
  const config = blob("config", imageConfig(image, layer.digest));
  const manifest = blob("manifest", {
    schemaVersion: 2,
    mediaType: mediaTypes.manifest,
    config: config.descriptor,
    layers: [layer],
  });
  const names = {
    "io.containerd.image.name": fullName(image.name),
    "org.opencontainers.image.ref.name": image.name.slice(image.name.lastIndexOf(":") + 1),
  };
  const index = {
    schemaVersion: 2,
    mediaType: mediaTypes.index,
    manifests: [{ ...manifest.descriptor, annotations: names }],
  };
  const layerPath = blobPath(layer.digest);
  const docker = [{ Config: config.entry.path, RepoTags: [image.name], Layers: [layerPath] }];
  return [
    { path: "oci-layout", content: JSON.stringify({ imageLayoutVersion: "1.0.0" }) },
    { path: "index.json", content: JSON.stringify(index) },
    { path: "manifest.json", content: JSON.stringify(docker) },
    config.entry,
    manifest.entry,
    { path: layerPath, size: layer.size, chunks: writeTar(entries) },
  ];
}

const mediaTypes = {
  index: "application/vnd.oci.image.index.v1+json",
  manifest: "application/vnd.oci.image.manifest.v1+json",
  config: "application/vnd.oci.image.config.v1+json",
  layer: "application/vnd.oci.image.layer.v1.tar",
} as const;

interface Descriptor {
  readonly mediaType: string;
  readonly digest: string;
  readonly size: number;
}

const blobPath = (digest: string): string => `blobs/${digest.replace(":", "/")}`;

function blob(kind: "config" | "manifest", value: object) {
  const content = JSON.stringify(value);
  const digest = `sha256:${createHash("sha256").update(content).digest("hex")}`;
  const size = Buffer.byteLength(content);
  const descriptor: Descriptor = { mediaType: mediaTypes[kind], digest, size };
  return { descriptor, entry: { path: blobPath(digest), content } };
}

/** The name of a layer is its digest, so it is read before it is written. */
async function describeLayer(entries: readonly TarEntry[]): Promise<Descriptor> {
  const hash = createHash("sha256");
  for await (const chunk of writeTar(entries)) hash.update(chunk);
  const digest = `sha256:${hash.digest("hex")}`;
  return { mediaType: mediaTypes.layer, digest, size: tarSize(entries) };
}

function imageConfig(image: Image, layerDigest: string) {
  return {
    architecture: architectures[process.arch] ?? process.arch,
    os: "linux",
    created: epoch,
    config: {
      Entrypoint: image.entrypoint,
      Env: Object.entries(image.env ?? {}).map(([name, value]) => `${name}=${value}`),
      User: image.user ?? "",
      WorkingDir: image.workingDir ?? "/",
    },
    rootfs: { type: "layers", diff_ids: [layerDigest] },
    history: [{ created: epoch, created_by: "rookery" }],
  };
}

/** "rookery:1.0" is "docker.io/library/rookery:1.0" to a container runtime. */
function fullName(name: string): string {
  const [first = "", ...rest] = name.split("/");
  if (rest.length === 0) return `docker.io/library/${name}`;
  return /[.:]|^localhost$/.test(first) ? name : `docker.io/${name}`;
}

/** The sorted entries with their folders; of several with one path, the last counts. */
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
