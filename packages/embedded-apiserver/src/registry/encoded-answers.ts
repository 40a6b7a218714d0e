import { encodedJson as encodedEntry } from "../store/encoded-json.ts";

const encoders = new WeakMap<object, () => Uint8Array>();

/**
 * The JSON, without a line break, of an object, a list or a watch event that a storage has given out;
 * undefined where it must be made anew.
 */
export function encodedJson(object: object): Uint8Array | undefined {
  return encodedEntry(object) ?? encoders.get(object)?.();
}

/** Promises the JSON of something that is given out. It is made when it is first asked for. */
export function promiseEncoding(object: object, encode: () => Uint8Array): void {
  let bytes: Uint8Array | undefined;
  encoders.set(object, () => {
    bytes ??= encode();
    return bytes;
  });
}
