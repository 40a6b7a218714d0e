import { MalformedPathError } from "../errors.ts";

export interface DecodedPath {
  /** As Go's URL.Path; each byte that is not UTF-8 becomes U+FFFD. */
  readonly path: string;
  readonly isUtf8: boolean;
}

// A byte order mark is part of a name.
const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
/** Without those beyond ASCII, which are bytes of other characters here. */
const control = /(?![\x80-\x9f])\p{Cc}/u;

/**
 * Unescapes a path from the wire, whose characters are bytes. Throws a MalformedPathError where
 * Go's server answers 400.
 */
export function decodePath(path: string): DecodedPath {
  if (/%(?![0-9a-f]{2})/i.test(path))
    throw new MalformedPathError(path, "it has an escape that is none");
  if (control.test(path)) throw new MalformedPathError(path, "it has a control character");
  if (!/[%\x80-\uffff]/.test(path)) return { path, isUtf8: true };
  const bytes = bytesOf(path);
  try {
    return { path: strict.decode(bytes), isUtf8: true };
  } catch {
    return { path: decodeLoosely(bytes), isUtf8: false };
  }
}

/** Characters beyond a byte do not come from the wire and count as their UTF-8. */
function bytesOf(path: string): Uint8Array {
  const wire = path.replace(/[\u0100-\uffff]+/g, (text) => encodeURIComponent(text.toWellFormed()));
  const unescaped = wire.replace(/%([0-9a-f]{2})/gi, (_, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 16)),
  );
  return Uint8Array.from(unescaped, (character) => character.charCodeAt(0));
}

/** One U+FFFD for each byte outside of a character, as in Go. */
function decodeLoosely(bytes: Uint8Array): string {
  let text = "";
  for (let at = 0; at < bytes.length; ) {
    const length = characterLength(bytes, at);
    text += length === 0 ? "\uFFFD" : strict.decode(bytes.subarray(at, at + length));
    at += Math.max(length, 1);
  }
  return text;
}

/** 0 where no character begins. */
function characterLength(bytes: Uint8Array, at: number): number {
  const lead = bytes[at] ?? 0;
  const length = lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
  try {
    return [...strict.decode(bytes.subarray(at, at + length))].length === 1 ? length : 0;
  } catch {
    return 0;
  }
}
