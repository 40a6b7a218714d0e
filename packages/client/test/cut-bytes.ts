/** Cuts bytes at these places, wherever characters begin. */
export function cutBytes(bytes: Uint8Array, places: readonly number[]): Uint8Array[] {
  const ends = [...places.map((place) => place % (bytes.length + 1)), bytes.length];
  ends.sort((a, b) => a - b);
  return ends.map((end, i) => bytes.subarray(ends[i - 1] ?? 0, end));
}
