import { promisify } from "node:util";
import { gunzip, gzip } from "node:zlib";
import type { Release } from "./install-state.ts";

/** A Secret holds at most 1 MiB. */
const partBytes = 900_000;
const pack = promisify(gzip);
const unpack = promisify(gunzip);

/** Packs a release into few pieces that fit into Secrets. */
export async function packRelease(release: Release): Promise<readonly Buffer[]> {
  // The fastest way takes half the time of the default, and a third more room.
  const packed = await pack(JSON.stringify(release), { level: 1 });
  const count = Math.max(1, Math.ceil(packed.length / partBytes));
  return Array.from({ length: count }, (_, index) =>
    packed.subarray(index * partBytes, (index + 1) * partBytes),
  );
}

export async function unpackRelease(parts: readonly Uint8Array[]): Promise<Release> {
  return JSON.parse((await unpack(Buffer.concat(parts))).toString()) as Release;
}
