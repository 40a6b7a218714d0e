/**
 * `node packages/packaging/generate/debian-packages.ts`: locks the newest versions of the Debian packages
 * whose libraries Node needs in the image, each with its SHA-256. The index is checked by Debian's
 * signature, for which gpgv and the keyring of the package debian-archive-keyring are needed.
 */

import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const suite = "trixie";
const keyring = "/usr/share/keyrings/debian-archive-keyring.gpg";
const architectures = { x64: "amd64", arm64: "arm64" };
const names = ["libatomic1", "libc6", "libgcc-s1", "libstdc++6"];
const mirror = process.env.ROOKERY_DEBIAN_MIRROR ?? "https://deb.debian.org/debian";
const file = join(import.meta.dirname, "../src/images/debian-packages.json");

const release = verified(await fetched(`dists/${suite}/InRelease`));
const packages = Object.fromEntries(
  await Promise.all(
    Object.entries(architectures).map(async ([arch, debian]) => [arch, await packagesOf(debian)]),
  ),
);
const snapshot = new Date().toISOString().replaceAll(/[-:]|\.\d+/g, "");
writeFileSync(file, `${JSON.stringify({ suite, snapshot, packages }, undefined, 2)}\n`);
console.log(`${file}: ${names.length} packages for ${Object.keys(architectures).join(" and ")}`);

async function fetched(path: string): Promise<Buffer> {
  const response = await fetch(`${mirror}/${path}`);
  if (!response.ok) throw new Error(`could not fetch ${mirror}/${path}: ${response.status}`);
  return Buffer.from(await response.arrayBuffer());
}

/** The text that Debian signed. */
function verified(signed: Buffer): string {
  const folder = mkdtempSync(join(tmpdir(), "rookery-debian-"));
  try {
    const place = join(folder, "InRelease");
    writeFileSync(place, signed);
    return output("gpgv", ["--keyring", keyring, "--output", "-", place]);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function output(command: string, args: readonly string[], input?: Buffer): string {
  const options = { input, encoding: "utf8", maxBuffer: 512 * 1024 * 1024 } as const;
  const { status, stdout, stderr, error } = spawnSync(command, args, options);
  if (status === 0) return stdout;
  throw new Error(`could not run ${command}: ${error?.message ?? stderr}`);
}

async function packagesOf(arch: string): Promise<object[]> {
  const path = `main/binary-${arch}/Packages.xz`;
  const index = await fetched(`dists/${suite}/${path}`);
  const digest = createHash("sha256").update(index).digest("hex");
  const isSigned = release.split("\n").some((line) => {
    const [sha256, , name] = line.trim().split(/\s+/);
    return sha256 === digest && name === path;
  });
  if (!isSigned) throw new Error(`could not use ${path}: its SHA-256 is not in the signed index`);
  const entries = output("xz", ["-dc"], index).split("\n\n").map(fieldsOf);
  return names.map((name) => {
    const found = entries.find((entry) => entry.Package === name);
    if (!found) throw new Error(`could not lock ${name}: ${suite} has no such package for ${arch}`);
    const { Version: version, Filename: file, Size: size, SHA256: sha256 } = found;
    return { name, version, file, size: Number(size), sha256 };
  });
}

function fieldsOf(entry: string): Partial<Record<string, string>> {
  const lines = entry.split("\n").filter((line) => /^\S+: /.test(line));
  return Object.fromEntries(
    lines.map((line) => {
      const at = line.indexOf(": ");
      return [line.slice(0, at), line.slice(at + 2)];
    }),
  );
}
