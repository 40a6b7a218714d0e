const encodings = new WeakMap<object, Uint8Array>();

/** The JSON of an object that an entry of a store has given out, ready to be sent. */
export function encodedJson(object: object): Uint8Array | undefined {
  return encodings.get(object);
}

/** For entries only. */
export function rememberEncoding(object: object, bytes: Uint8Array): void {
  encodings.set(object, bytes);
}
