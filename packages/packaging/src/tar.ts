import { createReadStream, readFileSync, statSync } from "node:fs";

const blockSize = 512;
/** Smaller files are read at once, as thousands of streams take seconds. */
const smallFile = 1024 * 1024;

/** An entry of an archive; the content is a value, a file or a stream. */
export type TarEntry =
  | { readonly path: string; readonly content: Uint8Array | string; readonly mode?: number }
  | { readonly path: string; readonly source: string; readonly mode?: number }
  | { readonly path: string; readonly chunks: AsyncIterable<Uint8Array>; readonly size: number }
  | { readonly path: string; readonly link: string }
  | { readonly path: string; readonly folder: true; readonly mode?: number };

/**
 * Writes an archive as a stream of chunks. It is reproducible: owner, times and all fields that an entry
 * lacks are fixed. Entries are read one after the other.
 */
export async function* writeTar(entries: Iterable<TarEntry>): AsyncGenerator<Uint8Array> {
  for (const entry of entries) {
    const size = contentSize(entry);
    yield* headers(entry, size);
    if ("content" in entry) yield Buffer.from(entry.content);
    if ("source" in entry) yield* exactly(read(entry.source, size), entry.source, size);
    if ("chunks" in entry) yield* exactly(entry.chunks, entry.path, size);
    yield padding(size);
  }
  yield Buffer.alloc(2 * blockSize);
}

/** The length of the archive that `writeTar` writes. */
export function tarSize(entries: Iterable<TarEntry>): number {
  let total = 2 * blockSize;
  for (const entry of entries) {
    const size = contentSize(entry);
    for (const header of headers(entry, size)) total += header.length;
    total += size + padding(size).length;
  }
  return total;
}

function contentSize(entry: TarEntry): number {
  if ("content" in entry) return Buffer.byteLength(entry.content);
  if ("size" in entry) return entry.size;
  return "source" in entry ? statSync(entry.source).size : 0;
}

function read(file: string, size: number): AsyncIterable<Uint8Array> | Iterable<Uint8Array> {
  return size > smallFile ? createReadStream(file) : [readFileSync(file)];
}

/** Throws if the size of the content is not the one in the header. */
async function* exactly(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  name: string,
  size: number,
): AsyncGenerator<Uint8Array> {
  let read = 0;
  for await (const chunk of chunks) {
    read += chunk.length;
    yield chunk;
  }
  if (read !== size) throw new Error(`could not archive ${name}: it changed while it was read`);
}

function* headers(entry: TarEntry, size: number): Generator<Buffer> {
  const link = "link" in entry ? entry.link : "";
  const long = { path: entry.path, linkpath: link };
  const records = Object.entries(long).filter(([, value]) => Buffer.byteLength(value) > 100);
  if (records.length > 0) {
    const extended = Buffer.concat(records.map(([key, value]) => paxRecord(key, value)));
    yield header({ path: "PaxHeader", type: "x", mode: 0o644, size: extended.length, link: "" });
    yield extended;
    yield padding(extended.length);
  }
  yield header({ path: entry.path, size, link, ...typeAndMode(entry) });
}

function typeAndMode(entry: TarEntry): { readonly type: string; readonly mode: number } {
  if ("link" in entry) return { type: "2", mode: 0o777 };
  if ("folder" in entry) return { type: "5", mode: entry.mode ?? 0o755 };
  return { type: "0", mode: ("mode" in entry ? entry.mode : undefined) ?? 0o644 };
}

/** A record starts with its own length, including the digits. */
function paxRecord(key: string, value: string): Buffer {
  const rest = Buffer.byteLength(` ${key}=${value}\n`);
  let length = rest + String(rest).length;
  length = rest + String(length).length;
  return Buffer.from(`${length} ${key}=${value}\n`);
}

interface Header {
  readonly path: string;
  readonly type: string;
  readonly mode: number;
  readonly size: number;
  readonly link: string;
}

function header({ path, type, mode, size, link }: Header): Buffer {
  const block = Buffer.alloc(blockSize);
  const octal = (value: number, length: number) => value.toString(8).padStart(length - 1, "0");
  Buffer.from(path).copy(block, 0, 0, 100);
  block.write(octal(mode, 8), 100, "latin1");
  block.write(octal(0, 8), 108, "latin1");
  block.write(octal(0, 8), 116, "latin1");
  block.write(octal(size, 12), 124, "latin1");
  block.write(octal(0, 12), 136, "latin1");
  block.write(" ".repeat(8), 148, "latin1");
  block.write(type, 156, "latin1");
  Buffer.from(link).copy(block, 157, 0, 100);
  block.write("ustar\u000000", 257, "latin1");
  const sum = block.reduce((total, byte) => total + byte, 0);
  block.write(`${octal(sum, 7)}\u0000 `, 148, "latin1");
  return block;
}

function padding(size: number): Buffer {
  return Buffer.alloc((blockSize - (size % blockSize)) % blockSize);
}
