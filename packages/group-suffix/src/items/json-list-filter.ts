import { TruncatedBodyError, UnreadableBodyError } from "../errors.ts";
import { CutBuffer } from "../held-bytes.ts";
import { literalEnd } from "../json/literal.ts";
import { forgetBytes } from "../json/simd/scanner.ts";
import { valueEnd } from "../json/value-end.ts";
import { ValueSkipper } from "../json/value-skipper.ts";
import type { KeepNamespace, SealToken } from "./item-filter.ts";
import {
  createKey,
  isKey,
  namespaceOfObject,
  namespaceOfRow,
  skipSpace,
  valueAfter,
} from "./json-member.ts";
import { NamespaceFilter } from "./namespace-filter.ts";

const quote = 0x22;
const comma = 0x2c;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;

/** The keys and numbers of a list are short. */
const longestMember = 1024;
/** The metadata of a list is a version and a token. */
const longestMetadata = 64 * 1024;

const metadata = createKey("metadata");
const items = createKey("items");
const rows = createKey("rows");

/**
 * The next token: a member of the list, the rest of its value or metadata, an item, the rest of
 * one.
 */
type State = "start" | "member" | "value" | "metadata" | "element" | "item" | "done";

/**
 * Removes items of a list, or rows of a Table. Buffers an incomplete item with the comma before
 * it, and the metadata of the list.
 */
export class JsonListFilter extends NamespaceFilter {
  readonly #seal: SealToken;
  readonly #buffer = new CutBuffer();
  readonly #skipper = new ValueSkipper();
  #state: State = "start";
  #at = 0;
  /** The beginning of the current item or metadata, and of the range to remove with it. */
  #item = 0;
  #region = 0;
  #hasComma = false;
  #begun = false;
  #isTable = false;

  constructor(keep: KeepNamespace, seal: SealToken) {
    super(keep);
    this.#seal = seal;
  }

  push(chunk: Uint8Array): readonly Uint8Array[] {
    this.#buffer.append(chunk);
    forgetBytes();
    while (this.#step());
    return this.#flush();
  }

  end(): readonly Uint8Array[] {
    const isWhole = this.#state === "done" || (this.#state === "start" && this.#at === 0);
    if (!isWhole) throw new TruncatedBodyError("JSON");
    return [];
  }

  #flush(): readonly Uint8Array[] {
    const isPassing = this.#state !== "element" && !this.#isHeld();
    const held = isPassing ? this.#at : this.#region;
    this.#at -= held;
    this.#item -= held;
    this.#region = 0;
    return this.#buffer.flush(held);
  }

  #isHeld(): boolean {
    return this.#state === "item" || this.#state === "metadata";
  }

  /** False where more bytes are needed. */
  #step(): boolean {
    if (this.#state === "value") return this.#skipValue();
    if (this.#isHeld()) return this.#endHeld();
    const { bytes } = this.#buffer;
    const i = skipSpace(bytes, this.#at, bytes.length);
    this.#at = i;
    if (i === bytes.length) return false;
    const byte = bytes[i] ?? 0;
    if (this.#state === "element") return this.#element(byte, i);
    if (this.#state === "member") return this.#member(byte, i);
    if (this.#state === "done" || byte !== openBrace) unexpected();
    return this.#moveTo("member", i + 1);
  }

  #moveTo(state: State, at: number): true {
    this.#state = state;
    this.#at = at;
    return true;
  }

  #member(byte: number, i: number): boolean {
    if (byte === closeBrace) return this.#moveTo("done", i + 1);
    if (byte === comma) return this.#moveTo("member", i + 1);
    if (byte !== quote) unexpected();
    const { bytes } = this.#buffer;
    const value = valueAfter(bytes, i, bytes.length);
    if (value < 0) return this.#more(i);
    const first = bytes[value];
    const isTable = isKey(bytes, i, rows);
    if (first === openBracket && (isTable || isKey(bytes, i, items))) {
      return this.#beginList(value + 1, isTable);
    }
    if (first === openBrace && isKey(bytes, i, metadata)) return this.#beginMetadata(value);
    if (first === quote || first === openBrace || first === openBracket) {
      this.#skipper.begin();
      return this.#moveTo("value", value);
    }
    const end = literalEnd(bytes, value, bytes.length);
    return end < bytes.length ? this.#moveTo("member", end) : this.#more(i);
  }

  /** Limits what is read again with each chunk. */
  #more(member: number): false {
    if (this.#buffer.bytes.length - member > longestMember) unexpected();
    return false;
  }

  #beginMetadata(at: number): true {
    this.#beginRegion(at);
    this.#item = at;
    this.#skipper.begin();
    return this.#moveTo("metadata", at);
  }

  /** Edits the fields that reveal removed items. */
  #editMetadata(end: number): true {
    const text = Buffer.from(this.#buffer.bytes.subarray(this.#item, end)).toString();
    const { remainingItemCount, continue: token, ...others } = parseMetadata(text);
    if (token || remainingItemCount !== undefined) {
      const sealed = typeof token === "string" && token !== "" && { continue: this.#seal(token) };
      const edited = JSON.stringify({ ...others, ...sealed });
      this.#buffer.cut(this.#item, end, Buffer.from(edited));
    }
    return this.#moveTo("member", end);
  }

  #beginList(at: number, isTable: boolean): true {
    this.#isTable = isTable;
    this.#begun = false;
    this.#beginRegion(at);
    return this.#moveTo("element", at);
  }

  #beginRegion(at: number): void {
    this.#region = at;
    this.#hasComma = false;
  }

  #skipValue(): boolean {
    const { bytes } = this.#buffer;
    this.#at = this.#skipper.skip(bytes, this.#at, bytes.length);
    return !this.#skipper.active && this.#moveTo("member", this.#at);
  }

  #element(byte: number, i: number): boolean {
    if (byte === closeBracket) return this.#moveTo("member", i + 1);
    if (byte === comma) {
      this.#region = i;
      this.#hasComma = true;
      return this.#moveTo("element", i + 1);
    }
    if (byte !== openBrace) unexpected();
    const { bytes } = this.#buffer;
    this.#item = i;
    const end = valueEnd(bytes, i, bytes.length);
    if (end >= 0) return this.#decide(end);
    this.#skipper.begin();
    return this.#moveTo("item", i);
  }

  #endHeld(): boolean {
    const { bytes } = this.#buffer;
    this.#at = this.#skipper.skip(bytes, this.#at, bytes.length);
    const isMetadata = this.#state === "metadata";
    if (isMetadata && this.#at - this.#item > longestMetadata) unexpected();
    if (this.#skipper.active) return false;
    return isMetadata ? this.#editMetadata(this.#at) : this.#decide(this.#at);
  }

  /** The first remaining item loses the comma before it. */
  #decide(end: number): true {
    const namespaceOf = this.#isTable ? namespaceOfRow : namespaceOfObject;
    const namespace = namespaceOf(this.#buffer.bytes, this.#item, end);
    if (!this.passes(namespace)) this.#buffer.cut(this.#region, end);
    else {
      if (this.#hasComma && !this.#begun) this.#buffer.cut(this.#region, this.#region + 1);
      this.#begun = true;
    }
    this.#beginRegion(end);
    return this.#moveTo("element", end);
  }
}

function parseMetadata(text: string): Readonly<Record<string, unknown>> {
  try {
    return JSON.parse(text) as Readonly<Record<string, unknown>>;
  } catch {
    return unexpected();
  }
}

function unexpected(): never {
  throw new UnreadableBodyError("JSON", "it is no list");
}
