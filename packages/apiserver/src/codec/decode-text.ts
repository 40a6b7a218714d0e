import { isUtf8 } from "node:buffer";

// A byte order mark is invalid in JSON.
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** Decodes like Go: each invalid byte becomes U+FFFD, not each sequence. */
export function decodeText(body: Uint8Array): string {
  return isUtf8(body) ? decoder.decode(body) : decodeLoosely(body);
}

function decodeLoosely(body: Uint8Array): string {
  let text = "";
  let start = 0;
  for (let at = 0; at < body.length; ) {
    const length = sequenceLength(body, at);
    if (length > 0) at += length;
    else {
      text += `${decoder.decode(body.subarray(start, at))}\uFFFD`;
      at += 1;
      start = at;
    }
  }
  return text + decoder.decode(body.subarray(start));
}

/** 0 for an invalid sequence. */
function sequenceLength(body: Uint8Array, at: number): number {
  const lead = body[at] ?? 0;
  if (lead < 0x80) return 1;
  const length = lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
  const isWhole = at + length <= body.length && isUtf8(body.subarray(at, at + length));
  return isWhole ? length : 0;
}
