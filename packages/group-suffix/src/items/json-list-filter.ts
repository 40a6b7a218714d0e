import { TruncatedBodyError, UnreadableBodyError } from "../errors.ts";
import { literalEnd } from "../json/literal.ts";
import { forgetBytes } from "../json/simd/scanner.ts";
import { valueEnd } from "../json/value-end.ts";
import { ValueSkipper } from "../json/value-skipper.ts";
import { CutBuffer } from "./cut-buffer.ts";
import type { ItemFilter, KeepNamespace } from "./item-filter.ts";
import { createKey, isKey, skipSpace, valueAfter } from "./json-member.ts";
import { namespaceOfObject, namespaceOfRow } from "./json-namespace.ts";

const quote = 0x22;
const comma = 0x2c;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;

/** Members of a list have short keys, and those of its own numbers. */
const longestMember = 1024;

const items = createKey("items");
const rows = createKey("rows");

/** What comes next: a member of the list itself, the rest of its value, an item, the rest of one. */
type State = "start" | "member" | "value" | "element" | "item" | "done";

/**
 * Drops items of a list, or rows of a Table. What comes before and after them passes at once; an item
 * is held, with the comma before it, until it is complete.
 */
export class JsonListFilter implements ItemFilter {
  passed = 0;
  dropped = 0;
  readonly #keep: KeepNamespace;
  readonly #buffer = new CutBuffer();
  readonly #skipper = new ValueSkipper();
  #state: State = "start";
  /** How far it has been read. */
  #at = 0;
  /** Where the item begins, and what belongs to it. */
  #item = 0;
  #region = 0;
  #hasComma = false;
  /** Whether an item of this list has passed. */
  #begun = false;
  #isTable = false;

  constructor(keep: KeepNamespace) {
    this.#keep = keep;
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
    const inList = this.#state === "element" || this.#state === "item";
    const held = inList ? this.#region : this.#at;
    this.#at -= held;
    this.#item -= held;
    this.#region = 0;
    return this.#buffer.flush(held);
  }

  /** Reads on; false where more bytes are needed. */
  #step(): boolean {
    if (this.#state === "value") return this.#skipValue();
    if (this.#state === "item") return this.#endItem();
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
    if (first === quote || first === openBrace || first === openBracket) {
      this.#skipper.begin();
      return this.#moveTo("value", value);
    }
    const end = literalEnd(bytes, value, bytes.length);
    return end < bytes.length ? this.#moveTo("member", end) : this.#more(i);
  }

  /** What is read again from its beginning with each piece has to be short. */
  #more(member: number): false {
    if (this.#buffer.bytes.length - member > longestMember) unexpected();
    return false;
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

  #endItem(): boolean {
    const { bytes } = this.#buffer;
    this.#at = this.#skipper.skip(bytes, this.#at, bytes.length);
    return !this.#skipper.active && this.#decide(this.#at);
  }

  /** The first item that passes loses the comma before it, if others were dropped there. */
  #decide(end: number): true {
    const namespaceOf = this.#isTable ? namespaceOfRow : namespaceOfObject;
    const namespace = namespaceOf(this.#buffer.bytes, this.#item, end);
    if (namespace === undefined || !this.#keep(namespace)) {
      this.dropped++;
      this.#buffer.cut(this.#region, end);
    } else {
      this.passed++;
      if (this.#hasComma && !this.#begun) this.#buffer.cut(this.#region, this.#region + 1);
      this.#begun = true;
    }
    this.#beginRegion(end);
    return this.#moveTo("element", end);
  }
}

function unexpected(): never {
  throw new UnreadableBodyError("JSON", "it is no list");
}
