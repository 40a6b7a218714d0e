import { gunzipSync, gzipSync } from "node:zlib";
import type { Release } from "./install-state.ts";

/** A Secret holds at most 1 MiB. */
const partBytes = 900_000;

/** Packs a release into as few pieces as fit into Secrets. */
export function packRelease(release: Release): readonly Buffer[] {
  const packed = gzipSync(JSON.stringify(release));
  const count = Math.max(1, Math.ceil(packed.length / partBytes));
  return Array.from({ length: count }, (_, index) =>
    packed.subarray(index * partBytes, (index + 1) * partBytes),
  );
}

export function unpackRelease(parts: readonly Uint8Array[]): Release {
  return JSON.parse(gunzipSync(Buffer.concat(parts)).toString()) as Release;
}
