import { isEnvelope, WireWriter } from "@rookery/kube";
import { TruncatedBodyError, UnreadableBodyError } from "../errors.ts";
import { CutBuffer } from "../held-bytes.ts";
import { prefixLength } from "../protobuf/envelope.ts";
import { type Range, textsAt, unreadable, WireCursor } from "../protobuf/wire-cursor.ts";
import type { KeepNamespace, SealToken } from "./item-filter.ts";
import { NamespaceFilter } from "./namespace-filter.ts";
import { namespaceOfMessage } from "./protobuf-namespace.ts";

/** The maximum of a tag and a length, of up to ten bytes each. */
const maxHeader = 20;
/** Field 15 with a length: no Kubernetes list has it, and readers skip unknown fields. */
const unknownField = 0x7a;
const lengthDelimited = 2;
/** The metadata of a list is a version and a token. */
const longestMetadata = 64 * 1024;
/** The field of the envelope with the list. */
const rawField = 2;
/** Fields of a list and its metadata. */
const metadataField = 1;
const itemsField = 2;
const noField = 0;
const continueField = 3;
const remainingItemCountField = 4;

interface Field {
  readonly number: number;
  readonly start: number;
  readonly end: number;
}

/**
 * Removes items of a list. Lengths come first on the wire, so a removed item becomes zeros of the
 * same length in an unknown field; only one item must be buffered. The metadata comes first and is
 * buffered with the lengths before it, because a sealed token is longer.
 */
export class ProtobufListFilter extends NamespaceFilter {
  readonly #seal: SealToken;
  readonly #buffer = new CutBuffer();
  #at = 0;
  #hasPrefix = false;
  /** The remaining bytes of a value that passes unread. */
  #passing = 0;
  /** The remaining bytes of the list; undefined in the envelope. */
  #left: number | undefined;
  /** The field number of items. */
  #items = itemsField;

  constructor(keep: KeepNamespace, seal: SealToken) {
    super(keep);
    this.#seal = seal;
  }

  push(chunk: Uint8Array): readonly Uint8Array[] {
    this.#buffer.append(chunk);
    while (this.#step());
    const held = this.#at;
    this.#at = 0;
    return this.#buffer.flush(held);
  }

  end(): readonly Uint8Array[] {
    const isWhole = this.#passing === 0 && this.#left === undefined;
    if (!isWhole || this.#buffer.bytes.length > 0) throw new TruncatedBodyError("Protobuf");
    return [];
  }

  /** False where more bytes are needed. */
  #step(): boolean {
    const { bytes } = this.#buffer;
    const ready = bytes.length - this.#at;
    if (this.#passing > 0) return this.#pass(Math.min(this.#passing, ready));
    if (this.#left === 0) {
      this.#left = undefined;
      return true;
    }
    if (ready === 0) return false;
    if (!this.#hasPrefix) return this.#prefix(ready);
    const field = this.#fieldAt(this.#at);
    if (field === undefined) return false;
    return this.#left === undefined ? this.#envelopeField(field) : this.#listField(field);
  }

  #prefix(ready: number): boolean {
    if (ready < prefixLength) return false;
    if (!isEnvelope(this.#buffer.bytes)) throw unreadable("it does not begin as an object does");
    this.#hasPrefix = true;
    return this.#moveTo(this.#at + prefixLength);
  }

  #pass(length: number): boolean {
    if (length === 0) return false;
    this.#passing -= length;
    return this.#moveTo(this.#at + length);
  }

  #moveTo(at: number): true {
    if (this.#left !== undefined) this.#left -= at - this.#at;
    this.#at = at;
    return true;
  }

  #envelopeField({ number, start, end }: Field): boolean {
    if (number === rawField) return this.#beginList({ start, end });
    if (number !== 1) return this.#skip(start, end);
    if (end > this.#buffer.bytes.length) return false;
    this.#items = itemsFieldOf(asBuffer(this.#buffer.bytes), { start, end });
    return this.#moveTo(end);
  }

  #beginList({ start, end }: Range): boolean {
    const first = end > start ? this.#fieldAt(start) : undefined;
    if (end > start && first === undefined) return false;
    if (first?.number === metadataField) {
      if (first.end > end) throw tooLong();
      if (!this.#isThere(first)) return false;
      const edited = this.#editedMetadata(first);
      if (edited !== undefined) return this.#beginEdited({ start: first.end, end }, edited);
    }
    this.#moveTo(start);
    this.#left = end - start;
    return true;
  }

  #beginEdited({ start, end }: Range, metadata: Uint8Array): true {
    const left = end - start;
    const header = new WireWriter().varint(rawField, metadata.length + left).finish();
    header[0] = rawField * 8 + lengthDelimited;
    this.#buffer.cut(this.#at, start, Buffer.concat([header, metadata]));
    this.#moveTo(start);
    this.#left = left;
    return true;
  }

  /** Whether the metadata is complete. */
  #isThere({ start, end }: Field): boolean {
    if (end - start > longestMetadata) throw unreadable("its metadata is too long");
    return end <= this.#buffer.bytes.length;
  }

  /**
   * The metadata with a sealed token and without the number of items; undefined if it is
   * unchanged.
   */
  #editedMetadata({ start, end }: Field): Uint8Array | undefined {
    const bytes = asBuffer(this.#buffer.bytes);
    const token = textsAt(bytes, { start, end }, [continueField]).at(-1) ?? "";
    const edited = new WireWriter();
    let isEdited = false;
    const cursor = new WireCursor(bytes, start);
    while (cursor.position < end) {
      const from = cursor.position;
      const tag = cursor.tag(end);
      cursor.skip(tag, end);
      const number = tag >>> 3;
      if (number === continueField || number === remainingItemCountField) isEdited = true;
      else edited.raw(bytes.subarray(from, cursor.position));
    }
    if (!isEdited) return undefined;
    if (token !== "") edited.string(continueField, this.#seal(token));
    return new WireWriter().bytes(metadataField, edited.finish()).finish();
  }

  #listField({ number, start, end }: Field): boolean {
    if (end - this.#at > (this.#left ?? 0)) throw tooLong();
    if (number === metadataField) return this.#laterMetadata({ number, start, end });
    if (number !== this.#items) return this.#skip(start, end);
    if (end > this.#buffer.bytes.length) return false;
    const namespace = namespaceOfMessage(asBuffer(this.#buffer.bytes), { start, end });
    if (!this.passes(namespace)) this.#drop(start, end);
    return this.#moveTo(end);
  }

  /** The lengths of this metadata and its list were already sent. */
  #laterMetadata(field: Field): boolean {
    if (!this.#isThere(field)) return false;
    if (this.#editedMetadata(field) !== undefined) {
      throw unreadable("the metadata of a list does not come first");
    }
    return this.#moveTo(field.end);
  }

  #drop(start: number, end: number): void {
    const zeros = new Uint8Array(end - this.#at);
    zeros.set(this.#buffer.bytes.subarray(this.#at, start));
    zeros[0] = unknownField;
    this.#buffer.cut(this.#at, end, zeros);
  }

  #skip(start: number, end: number): true {
    this.#moveTo(start);
    this.#passing = end - start;
    return true;
  }

  /** Undefined for an incomplete header. */
  #fieldAt(at: number): Field | undefined {
    const { bytes } = this.#buffer;
    const cursor = new WireCursor(bytes, at);
    try {
      const tag = cursor.tag(bytes.length);
      if ((tag & 7) !== lengthDelimited) cursor.skip(tag, bytes.length);
      const length = (tag & 7) === lengthDelimited ? cursor.varint(bytes.length) : 0;
      return { number: tag >>> 3, start: cursor.position, end: cursor.position + length };
    } catch (error) {
      if (!(error instanceof UnreadableBodyError) || bytes.length - at >= maxHeader) throw error;
      return undefined;
    }
  }
}

/** All lists have the same field number, except an older one, whose metadata comes last. */
function itemsFieldOf(bytes: Buffer, typeMeta: Range): number {
  const text = (number: number) => textsAt(bytes, typeMeta, [number]).at(-1);
  if (text(1) === "meta.k8s.io/v1beta1")
    throw unreadable("lists of meta.k8s.io/v1beta1 are not supported");
  return text(1) === "v1" && text(2) === "Status" ? noField : itemsField;
}

function tooLong(): UnreadableBodyError {
  return unreadable("a field is longer than its list");
}

function asBuffer({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}
