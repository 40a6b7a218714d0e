import { UnreadableBodyError } from "../errors.ts";
import type { TextEdit } from "../forms/form.ts";
import type { KindName, RuleEntry, RuleNode } from "../rules/rule-node.ts";
import type { ByteEdit } from "./byte-edits.ts";
import {
  closeBrace,
  closeBracket,
  colon,
  comma,
  isSpace,
  latin1,
  openBrace,
  openBracket,
  quote,
} from "./bytes.ts";
import { Frame, type Pending } from "./frame.ts";
import { findStringEnd, unescapeString } from "./json-string.ts";
import { entryOf } from "./key-lookup.ts";
import { ValueSkipper } from "./value-skipper.ts";

/** What a walker needs to know beside the rules. */
export interface WalkContext {
  /** The kind that the request is about. */
  readonly target: KindName | undefined;
  /** What is renamed in a string that a rule speaks of. */
  edits(text: string, rule: Pick<RuleNode, "form" | "edits">): readonly TextEdit[];
}

/** A piece of the body. */
export interface Piece {
  readonly bytes: Uint8Array;
  /** Where it stands in the body. */
  readonly base: number;
  /** No more comes after it. */
  readonly last: boolean;
}

/** An object or a list that is open. */
interface Level {
  readonly node: RuleNode;
  readonly frame: Frame | undefined;
  readonly isList: boolean;
  /** Of the element that comes next. */
  index: number;
}

type State = "value" | "elementOrEnd" | "keyOrEnd" | "key" | "colon" | "after" | "done";

/** Told by a step that needs more bytes than there are. */
const needsMore = -1;
const maxDepth = 10_000;
const literal = /^(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)$/;

/**
 * Reads JSON once, byte by byte, along the rules, and notes what is to be renamed.
 *
 * Flow: what no rule speaks of is skipped. Where it depends on a later field which rules hold, the
 * value is skipped as well, and read when that field has come, at the latest at the object's end.
 * Guarantees: the input may break off at any byte. Edits lie inside of strings and do not overlap.
 * Errors: UnreadableBodyError where it is no JSON.
 */
export class JsonWalker {
  #edits: ByteEdit[] = [];
  readonly #root: RuleNode;
  readonly #context: WalkContext;
  readonly #levels: Level[] = [];
  readonly #skipper = new ValueSkipper();
  #state: State = "value";
  /** The rules for the value that comes next. */
  #next: RuleNode | undefined;
  /** The value that is skipped now, where it has to be read later. */
  #pending: Pending | undefined;
  #capture:
    | { readonly entry: RuleEntry; readonly strings: string[]; readonly depth: number }
    | undefined;
  #bytes: Uint8Array = new Uint8Array();
  #base = 0;
  #end = 0;
  #last = false;

  constructor(root: RuleNode, context: WalkContext) {
    this.#root = root;
    this.#context = context;
    this.#next = root;
  }

  /** Whether a document, and nothing after it, has been read. */
  get isDone(): boolean {
    return this.#state === "done";
  }

  /** Whether not even the beginning of a document has been read. */
  get isFresh(): boolean {
    return this.#state === "value" && this.#levels.length === 0 && !this.#skipper.active;
  }

  /** Where in the body it begins what must not be sent on yet. */
  get heldFrom(): number {
    const pending = this.#pending?.start ?? Number.POSITIVE_INFINITY;
    return this.#levels.reduce(
      (held, { frame }) => Math.min(held, frame?.heldFrom ?? held),
      pending,
    );
  }

  /** The edits before a place in the body, in order; they are the caller's from now on. */
  takeEdits(before: number): readonly ByteEdit[] {
    const taken = this.#edits.filter(({ start }) => start < before);
    if (taken.length === 0) return taken;
    this.#edits = this.#edits.filter(({ start }) => start >= before);
    return taken.sort((a, b) => a.start - b.start);
  }

  /** Makes it ready for the next document. */
  restart(): void {
    this.#state = "value";
    this.#next = this.#root;
  }

  /** Reads from an index on and returns how far it came: to the end, or to a token that is not complete. */
  walk(piece: Piece, from: number): number {
    const { bytes } = piece;
    this.#bytes = bytes;
    this.#base = piece.base;
    this.#end = bytes.length;
    this.#last = piece.last;
    let i = from;
    while (i < this.#end && this.#state !== "done") {
      if (this.#skipper.active) i = this.#skip(i);
      else if (isSpace(bytes[i])) i++;
      else {
        const next = this.#step(i);
        if (next === needsMore) return i;
        i = next;
      }
    }
    return i;
  }

  #skip(from: number): number {
    const i = this.#skipper.skip(this.#bytes, from, this.#end);
    if (!this.#skipper.active) this.#skipped(i);
    return i;
  }

  #skipped(end: number): void {
    const pending = this.#pending;
    if (pending !== undefined) {
      pending.end = this.#base + end;
      this.#levels.at(-1)?.frame?.pending.push(pending);
      this.#pending = undefined;
    }
    this.#valueRead();
  }

  #step(i: number): number {
    switch (this.#state) {
      case "value":
        return this.#value(i);
      case "elementOrEnd":
        return this.#bytes[i] === closeBracket ? this.#close(i) : this.#value(i);
      case "keyOrEnd":
        return this.#bytes[i] === closeBrace ? this.#close(i) : this.#key(i);
      case "key":
        return this.#key(i);
      case "colon":
        this.#state = "value";
        return this.#bytes[i] === colon ? i + 1 : unexpected();
      default:
        return this.#after(i);
    }
  }

  #after(i: number): number {
    const level = this.#levels.at(-1);
    const byte = this.#bytes[i];
    if (byte === comma && level !== undefined) {
      if (level.isList) this.#nextElement(level);
      else this.#state = "key";
      return i + 1;
    }
    if (level === undefined || byte !== (level.isList ? closeBracket : closeBrace)) unexpected();
    return this.#close(i);
  }

  #value(i: number): number {
    const byte = this.#bytes[i];
    const opens = byte === openBrace || byte === openBracket;
    const node = this.#next;
    if (node !== undefined && opens) return this.#open(node, i);
    if (node !== undefined && byte === quote) return this.#string(node, i);
    if (!opens && byte !== quote) return this.#literal(i);
    this.#skipper.begin();
    if (this.#pending !== undefined) this.#pending.start = this.#base + i;
    return i;
  }

  #open(node: RuleNode, i: number): number {
    const isList = this.#bytes[i] === openBracket;
    if (this.#levels.length >= maxDepth)
      throw new UnreadableBodyError("JSON", "it is nested too deep");
    const frame = node.choice && !isList ? new Frame(node, this.#innermostFrame()) : undefined;
    const level: Level = { node, frame, isList, index: -1 };
    this.#levels.push(level);
    if (isList) {
      this.#nextElement(level);
      this.#state = "elementOrEnd";
    } else this.#state = "keyOrEnd";
    return i + 1;
  }

  #innermostFrame(): Frame | undefined {
    return this.#levels.findLast(({ frame }) => frame !== undefined)?.frame;
  }

  #nextElement(level: Level): void {
    const { node } = level;
    level.index++;
    this.#next = level.index === 0 ? (node.first ?? node.items) : node.items;
    this.#state = "value";
  }

  #close(i: number): number {
    const frame = this.#levels.pop()?.frame;
    if (frame !== undefined) this.#closeFrame(frame);
    this.#valueRead();
    return i + 1;
  }

  #key(i: number): number {
    if (this.#bytes[i] !== quote) unexpected();
    const end = findStringEnd(this.#bytes, i + 1, this.#end);
    if (end < 0) return needsMore;
    const level = this.#levels.at(-1);
    if (level !== undefined) this.#enterKey(level, i + 1, end);
    this.#state = "colon";
    return end + 1;
  }

  #enterKey({ node, frame }: Level, start: number, end: number): void {
    const entry = entryOf(node, this.#bytes, start, end);
    if (entry === undefined) {
      this.#next = node.any;
      if (node.keyForm !== undefined)
        this.#rename({ form: node.keyForm, edits: undefined }, start, end);
      return;
    }
    this.#next = entry.node;
    if (entry.captured && frame !== undefined) {
      this.#capture = { entry, strings: [], depth: this.#levels.length };
    }
    if (entry.waits && frame !== undefined) this.#waitFor(frame, entry, end);
  }

  /** The value is read now where it is decided which rules hold for it, else later. */
  #waitFor(frame: Frame, { key }: RuleEntry, keyEnd: number): void {
    if (!frame.decided && frame.isPresumed) frame.decide(this.#context.target);
    this.#next = frame.chosen?.entry(key)?.node;
    if (!frame.decided) this.#pending = { key, start: this.#base + keyEnd, end: 0 };
  }

  #string(node: RuleNode, i: number): number {
    const end = findStringEnd(this.#bytes, i + 1, this.#end);
    if (end < 0) return needsMore;
    if (node.form !== undefined || node.edits !== undefined || this.#capture !== undefined) {
      const text = this.#rename(node, i + 1, end);
      this.#capture?.strings.push(text);
    }
    this.#valueRead();
    return end + 1;
  }

  /** Notes what is to be renamed in a string, and returns its text. */
  #rename(rule: Pick<RuleNode, "form" | "edits">, start: number, end: number): string {
    const { text, offsets } = unescapeString(this.#bytes, start, end);
    for (const edit of this.#context.edits(text, rule)) {
      this.#edits.push({
        start: this.#base + (offsets?.[edit.start] ?? start + edit.start),
        end: this.#base + (offsets?.[edit.end] ?? start + edit.end),
        bytes: Buffer.from(JSON.stringify(edit.text).slice(1, -1), "latin1"),
      });
    }
    return text;
  }

  #literal(i: number): number {
    let end = i;
    while (end < this.#end && isLiteralByte(this.#bytes[end] ?? 0)) end++;
    if (end === this.#end && !this.#last) return needsMore;
    if (!literal.test(latin1(this.#bytes, i, end))) unexpected();
    // A number or null needs no rules, whatever they will be.
    this.#pending = undefined;
    this.#valueRead();
    return end;
  }

  #valueRead(): void {
    this.#state = this.#levels.length === 0 ? "done" : "after";
    const capture = this.#capture;
    if (capture === undefined || capture.depth !== this.#levels.length) return;
    this.#capture = undefined;
    const frame = this.#levels.at(-1)?.frame;
    if (frame?.capture(capture.entry.key, capture.strings)) this.#decide(frame);
  }

  #decide(frame: Frame): void {
    frame.decide(this.#context.target);
    for (const { key, start, end } of frame.pending.splice(0)) {
      const node = frame.chosen?.entry(key)?.node;
      if (node !== undefined) this.#readAgain(node, start, end);
    }
    for (const orphan of frame.orphans.splice(0)) this.#decide(orphan);
  }

  #readAgain(node: RuleNode, start: number, end: number): void {
    const walker = new JsonWalker(node, this.#context);
    const bytes = this.#bytes.subarray(0, end - this.#base);
    walker.walk({ bytes, base: this.#base, last: true }, start - this.#base);
    for (const edit of walker.takeEdits(end)) this.#edits.push(edit);
  }

  /** At the end of an object it is decided, unless only its list will tell what it is. */
  #closeFrame(frame: Frame): void {
    if (frame.pending.length === 0 && frame.orphans.length === 0) return;
    const { parent } = frame;
    const isOrphan =
      frame.kind === undefined && this.#context.target === undefined && parent?.node === frame.node;
    if (isOrphan && !parent?.decided) parent?.orphans.push(frame);
    else this.#decide(frame);
  }
}

function isLiteralByte(byte: number): boolean {
  return (
    (byte >= 0x30 && byte <= 0x39) ||
    (byte >= 0x61 && byte <= 0x7a) ||
    byte === 0x2b ||
    byte === 0x2d ||
    byte === 0x2e ||
    byte === 0x45
  );
}

function unexpected(): never {
  throw new UnreadableBodyError("JSON", "it is malformed");
}
