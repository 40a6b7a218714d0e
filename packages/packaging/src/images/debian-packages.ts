import { createHash } from "node:crypto";
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { messageOf } from "@rookery/errors";
import { UnavailableError } from "../errors.ts";
import lock from "./debian-packages.json" with { type: "json" };

/** A package of the lock file, which `packages/packaging/generate/debian-packages.ts` writes. */
export interface DebianPackage {
  readonly name: string;
  readonly version: string;
  /** Below the root of a mirror. */
  readonly file: string;
  readonly size: number;
  readonly sha256: string;
}

type Architecture = keyof typeof lock.packages;

/** The packages with the libraries of Node, for the architectures that an image can be made for. */
export function lockedPackages(arch: string): readonly DebianPackage[] {
  if (arch in lock.packages) return lock.packages[arch as Architecture];
  throw new UnavailableError(`the libraries of an image for ${arch}`, {
    reason: `the lock file has those for ${Object.keys(lock.packages).join(" and ")}`,
    remedy: "add the architecture to packages/packaging/generate/debian-packages.ts and run it",
  });
}

export interface FetchOptions {
  readonly env?: NodeJS.ProcessEnv;
  readonly mirrors?: readonly string[];
}

/**
 * The content of a package, from the machine's cache or the first mirror that has it. Only
 * snapshot.debian.org keeps old versions. Throws UnavailableError.
 */
export async function fetchPackage(
  wanted: DebianPackage,
  { env = process.env, mirrors = mirrorsOf(env) }: FetchOptions = {},
): Promise<Buffer> {
  const folder = join(env.XDG_CACHE_HOME || join(homedir(), ".cache"), "rookery", "debian");
  const cached = join(folder, `${wanted.sha256}.deb`);
  const found = await readFile(cached).catch(() => undefined);
  if (found && isSound(found, wanted)) return found;
  const problems: string[] = [];
  for (const mirror of mirrors) {
    const answer = await download(`${mirror}/${wanted.file}`, wanted);
    if (typeof answer === "string") {
      problems.push(`${mirror}: ${answer}`);
      continue;
    }
    await mkdir(folder, { recursive: true });
    await writeFile(`${cached}.${process.pid}`, answer);
    await rename(`${cached}.${process.pid}`, cached);
    return answer;
  }
  throw new UnavailableError(`the Debian package ${wanted.name} ${wanted.version}`, {
    reason: problems.join("; "),
    remedy:
      "name a mirror that has it by ROOKERY_DEBIAN_MIRROR, or lock today's versions by `node packages/packaging/generate/debian-packages.ts`",
  });
}

function mirrorsOf({ ROOKERY_DEBIAN_MIRROR: own }: NodeJS.ProcessEnv): readonly string[] {
  const snapshot = `https://snapshot.debian.org/archive/debian/${lock.snapshot}`;
  return [...(own ? [own.replace(/\/+$/, "")] : []), "https://deb.debian.org/debian", snapshot];
}

/** The content, or the reason of the failure. */
async function download(url: string, { size, sha256 }: DebianPackage): Promise<Buffer | string> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(120_000) });
    if (!response.ok || !response.body) return `it answers ${response.status}`;
    const chunks: Uint8Array[] = [];
    let received = 0;
    for await (const chunk of response.body) {
      received += chunk.length;
      if (received > size) return `it sends more than the ${size} bytes of the lock file`;
      chunks.push(chunk);
    }
    const content = Buffer.concat(chunks);
    return isSound(content, { size, sha256 }) ? content : "its SHA-256 is not the locked one";
  } catch (error) {
    const cause = (error as Error).cause ?? error;
    return messageOf(cause);
  }
}

function isSound(content: Buffer, { size, sha256 }: Pick<DebianPackage, "size" | "sha256">) {
  return content.length === size && createHash("sha256").update(content).digest("hex") === sha256;
}
