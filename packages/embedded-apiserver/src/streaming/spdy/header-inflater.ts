import { constants, createInflate, type Inflate } from "node:zlib";
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

/** What SPDY/3 headers are compressed against: names and values, each after its length. */
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

/** And fragments of values, one after another. */
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

/** What the headers of one frame may come to: a few bytes can stand for very many. */
const maxInflatedBytes = 128 * 1024;

/** Inflates the headers of a connection: all of them are one stream, in the order of the frames. */
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

  /** One after another. Rejects with a ProtocolError, after which nothing more can be inflated. */
  async inflate(block: Buffer): Promise<Buffer> {
    if (this.#inflate.destroyed) throw new ProtocolError("headers can't be read any more");
    this.#chunks = [];
    this.#length = 0;
    await new Promise<void>((resolve, reject) => {
      this.#fail = reject;
      // What was inflated is handed out before the next turn.
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
