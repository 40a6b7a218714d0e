import { isEnvelope } from "@rookery/kube";
import { TruncatedBodyError, UnreadableBodyError } from "../errors.ts";
import { prefixLength } from "../protobuf/envelope.ts";
import { textsAt } from "../protobuf/find-texts.ts";
import { unreadable, WireCursor } from "../protobuf/wire-cursor.ts";
import { CutBuffer } from "./cut-buffer.ts";
import type { ItemFilter, KeepNamespace } from "./item-filter.ts";
import { namespaceOfMessage } from "./protobuf-namespace.ts";

/** Of a field: a tag and a length, of up to ten bytes each. */
const maxHeader = 20;
/** Field 15, with a length: no list of Kubernetes has one, and readers pass over what they do not know. */
const unknownField = 0x7a;
const lengthDelimited = 2;

/** The field at the beginning of what is held. */
interface Field {
  readonly number: number;
  /** Where its value begins and ends. */
  readonly start: number;
  readonly end: number;
}

/**
 * Drops items of a list. Lengths come first on the wire, of the envelope too: so that nothing but an
 * item has to be held, one that is dropped becomes zeros of the same length in a field that no
 * reader knows.
 */
export class ProtobufListFilter implements ItemFilter {
  passed = 0;
  dropped = 0;
  readonly #keep: KeepNamespace;
  readonly #buffer = new CutBuffer();
  #at = 0;
  #hasPrefix = false;
  /** How much of a value passes without a look. */
  #passing = 0;
  /** How much of the list is to come; undefined in the envelope around it. */
  #left: number | undefined;
  /** The field of the list that holds its items. */
  #items = 2;

  constructor(keep: KeepNamespace) {
    this.#keep = keep;
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

  /** Reads on; false where more bytes are needed. */
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
    const field = this.#field();
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
    if (number === 2) {
      this.#moveTo(start);
      this.#left = end - start;
      return true;
    }
    if (number !== 1) return this.#skip(start, end);
    if (end > this.#buffer.bytes.length) return false;
    this.#items = itemsFieldOf(asBuffer(this.#buffer.bytes), { start, end });
    return this.#moveTo(end);
  }

  #listField({ number, start, end }: Field): boolean {
    if (end - this.#at > (this.#left ?? 0)) throw unreadable("a field is longer than its list");
    if (number !== this.#items) return this.#skip(start, end);
    if (end > this.#buffer.bytes.length) return false;
    const namespace = namespaceOfMessage(asBuffer(this.#buffer.bytes), { start, end });
    if (namespace === undefined || !this.#keep(namespace)) this.#drop(start, end);
    else this.passed++;
    return this.#moveTo(end);
  }

  #drop(start: number, end: number): void {
    this.dropped++;
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

  /** Undefined where its beginning is not there yet. */
  #field(): Field | undefined {
    const { bytes } = this.#buffer;
    const cursor = new WireCursor(bytes, this.#at);
    try {
      const tag = cursor.tag(bytes.length);
      if ((tag & 7) !== lengthDelimited) cursor.skip(tag, bytes.length);
      const length = (tag & 7) === lengthDelimited ? cursor.varint(bytes.length) : 0;
      return { number: tag >>> 3, start: cursor.position, end: cursor.position + length };
    } catch (error) {
      if (!(error instanceof UnreadableBodyError) || bytes.length - this.#at >= maxHeader)
        throw error;
      return undefined;
    }
  }
}

/** All lists have their items in field 2, but for one that is older. */
function itemsFieldOf(bytes: Buffer, typeMeta: { start: number; end: number }): number {
  const text = (number: number) => textsAt(bytes, typeMeta, [number]).at(-1);
  const isOld = text(1) === "meta.k8s.io/v1beta1" && text(2) === "PartialObjectMetadataList";
  return isOld ? 1 : 2;
}

function asBuffer({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}
