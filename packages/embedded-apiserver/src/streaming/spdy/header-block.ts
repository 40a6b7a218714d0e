import { ProtocolError } from "../../errors.ts";

/** Names are lower case; of a header that was sent several times the first value counts. */
export type SpdyHeaders = ReadonlyMap<string, string>;

/** Reads a block of headers that is no longer compressed. Throws a ProtocolError. */
export function readHeaderBlock(block: Buffer): SpdyHeaders {
  const headers = new Map<string, string>();
  let offset = 4;
  const next = (): string => {
    const start = offset + 4;
    const end = offset + 4 <= block.length ? start + block.readUInt32BE(offset) : Infinity;
    if (end > block.length) throw new ProtocolError("a block of headers is cut off");
    offset = end;
    return block.toString("latin1", start, end);
  };
  if (block.length < 4) throw new ProtocolError("a block of headers is cut off");
  for (let left = block.readUInt32BE(0); left > 0; left -= 1) {
    const name = next().toLowerCase();
    const [value = ""] = next().split("\0");
    if (!headers.has(name)) headers.set(name, value);
  }
  return headers;
}

/** How zlib begins, without a dictionary: a reader takes both. */
const zlibHeader = Buffer.from([0x78, 0x01]);
/** No headers (a count of zero) as a stored block of deflate, and the empty one that flushes it. */
const noHeaders = Buffer.from([0, 4, 0, 0xfb, 0xff, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff]);

/**
 * The compressed headers of a reply: none, as Kubernetes has it. Stored blocks are what zlib takes
 * anywhere in its stream, so that nothing has to be compressed here.
 */
export function emptyHeaderBlock(isFirst: boolean): Buffer {
  return isFirst ? Buffer.concat([zlibHeader, noHeaders]) : noHeaders;
}
