const encodings = new WeakMap<object, Uint8Array>();
const encoders = new WeakMap<object, () => Uint8Array>();

/**
 * The JSON, without a line break, of an object, a list or a watch event from a storage; undefined if it is
 * not known.
 */
export function encodedJson(object: object): Uint8Array | undefined {
  return encodings.get(object) ?? encoders.get(object)?.();
}

/** For entries of a store only. */
export function rememberEncoding(object: object, bytes: Uint8Array): void {
  encodings.set(object, bytes);
}

/** Registers a lazy encoder for an object that a storage returns. */
export function promiseEncoding(object: object, encode: () => Uint8Array): void {
  let bytes: Uint8Array | undefined;
  encoders.set(object, () => {
    bytes ??= encode();
    return bytes;
  });
}
