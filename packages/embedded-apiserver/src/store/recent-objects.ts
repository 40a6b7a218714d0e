/** What has an object that it may let go of. */
export interface ObjectHolder {
  readonly bytes: Uint8Array;
  loosen(): void;
}

/** Of JSON: the objects that are made of it take about three times as much. */
const maxBytes = 8 * 1024 * 1024;

const recent: ObjectHolder[] = [];
let oldest = 0;
let recentBytes = 0;

/** Lets those of which an object was made longest ago let go of theirs, so that memory stays bounded. */
export function keepRecent(holder: ObjectHolder): void {
  recent.push(holder);
  recentBytes += holder.bytes.length;
  while (recentBytes > maxBytes && oldest < recent.length - 1) {
    const holder = recent[oldest++];
    recentBytes -= holder?.bytes.length ?? 0;
    holder?.loosen();
  }
  if (oldest > 1024 && oldest > recent.length / 2) {
    recent.splice(0, oldest);
    oldest = 0;
  }
}
