import { constants, createInflate, type Inflate } from "node:zlib";
import { ProtocolError } from "../../errors.ts";

/** Names are lower case; the first of repeated values counts. */
export type SpdyHeaders = ReadonlyMap<string, string>;

/** Parses an inflated header block. Throws a ProtocolError. */
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

/** The zlib header without a dictionary. */
const zlibHeader = Buffer.from([0x78, 0x01]);
/** A stored deflate block of zero headers, and an empty one as flush. */
const noHeaders = Buffer.from([0, 4, 0, 0xfb, 0xff, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff]);

/**
 * The compressed headers of a reply, which has none. Stored blocks are valid anywhere in a zlib
 * stream, so that no compressor is needed.
 */
export function emptyHeaderBlock(isFirst: boolean): Buffer {
  return isFirst ? Buffer.concat([zlibHeader, noHeaders]) : noHeaders;
}

/** The SPDY/3 compression dictionary: length-prefixed words. */
const words = [
  ...["options", "head", "post", "put", "delete", "trace", "accept", "accept-charset"],
  ...["accept-encoding", "accept-language", "accept-ranges", "age", "allow", "authorization"],
  ...["cache-control", "connection", "content-base", "content-encoding", "content-language"],
  ...["content-length", "content-location", "content-md5", "content-range", "content-type", "date"],
  ...["etag", "expect", "expires", "from", "host", "if-match", "if-modified-since"],
  ...["if-none-match", "if-range", "if-unmodified-since", "last-modified", "location"],
  ...["max-forwards", "pragma", "proxy-authenticate", "proxy-authorization", "range", "referer"],
  ...["retry-after", "server", "te", "trailer", "transfer-encoding", "upgrade", "user-agent"],
  ...["vary", "via", "warning", "www-authenticate", "method", "get", "status", "200 OK", "version"],
  ...["HTTP/1.1", "url", "public", "set-cookie", "keep-alive", "origin"],
];

/** Followed by fragments of values. */
const fragments = [
  "100101201202205206300302303304305306307402405406407408409410411412413414415416417502504505",
  "203 Non-Authoritative Information204 No Content301 Moved Permanently400 Bad Request",
  "401 Unauthorized403 Forbidden404 Not Found500 Internal Server Error501 Not Implemented",
  "503 Service UnavailableJan Feb Mar Apr May Jun Jul Aug Sept Oct Nov Dec 00:00:00 ",
  "Mon, Tue, Wed, Thu, Fri, Sat, Sun, GMTchunked,text/html,image/png,image/jpg,image/gif,",
  "application/xml,application/xhtml+xml,text/plain,text/javascript,publicprivatemax-age=",
  "gzip,deflate,sdchcharset=utf-8charset=iso-8859-1,utf-,*,enq=0.",
];

function afterItsLength(word: string): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(word.length);
  return Buffer.concat([length, Buffer.from(word, "latin1")]);
}

export const headerDictionary: Buffer = Buffer.concat([
  ...words.map(afterItsLength),
  Buffer.from(fragments.join(""), "latin1"),
]);

/** Bounds decompression bombs. */
const maxInflatedBytes = 128 * 1024;

/** Inflates the headers of a connection, which are one stream. */
export class HeaderInflater {
  readonly #inflate: Inflate;
  #chunks: Buffer[] = [];
  #length = 0;
  #fail: ((error: Error) => void) | undefined;

  constructor() {
    this.#inflate = createInflate({
      dictionary: headerDictionary,
      flush: constants.Z_SYNC_FLUSH,
      finishFlush: constants.Z_SYNC_FLUSH,
    });
    this.#inflate.on("data", (chunk: Buffer) => this.#take(chunk));
    this.#inflate.on("error", (error) => this.#fail?.(new ProtocolError(error.message)));
  }

  /**
   * Calls must be sequential. Rejects with a ProtocolError, after which the inflater is unusable.
   */
  async inflate(block: Buffer): Promise<Buffer> {
    if (this.#inflate.destroyed) throw new ProtocolError("headers can't be read any more");
    this.#chunks = [];
    this.#length = 0;
    await new Promise<void>((resolve, reject) => {
      this.#fail = reject;
      // Output events come before the next turn.
      this.#inflate.write(block, (error) => (error ? reject(error) : setImmediate(resolve)));
    });
    return Buffer.concat(this.#chunks);
  }

  destroy(): void {
    this.#inflate.destroy();
    this.#fail?.(new ProtocolError("it is closed"));
  }

  #take(chunk: Buffer): void {
    this.#length += chunk.length;
    if (this.#length <= maxInflatedBytes) this.#chunks.push(chunk);
    else this.#inflate.destroy(new ProtocolError("the headers of a frame are too long"));
  }
}
