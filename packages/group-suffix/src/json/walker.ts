import { UnreadableBodyError } from "../errors.ts";
import type { TextEdit } from "../forms/form.ts";
import type { KindName, RuleEntry, RuleNode } from "../rules/rule-node.ts";
import { EditList } from "./edit-list.ts";
import { Frame, type Pending } from "./frame.ts";
import { findStringEnd } from "./json-string.ts";
import { entryOf, escapedEntryOf } from "./key-lookup.ts";
import { isLiteral, literalEnd } from "./literal.ts";
import { skipMembers } from "./skip-members.ts";
import type { TextMemo } from "./text-memo.ts";
import { valueEnd } from "./value-end.ts";
import { ValueSkipper } from "./value-skipper.ts";

/** What a walker needs to know beside the rules. */
export interface WalkContext {
  /** The kind that the request is about. */
  readonly target: KindName | undefined;
  /** What is renamed in a string that a rule speaks of. */
  edits(text: string, rule: Pick<RuleNode, "form" | "edits">): readonly TextEdit[];
  /** Remembers it for all walkers of one body. */
  readonly memo: TextMemo;
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
  /** This frame, or that of the nearest level around it that has one. */
  readonly innermost: Frame | undefined;
  readonly isList: boolean;
  /** Of the element that comes next. */
  index: number;
}

interface Capture {
  readonly key: string;
  readonly strings: string[];
  readonly depth: number;
}

// What comes next. Constants of this file, as the bytes below: others are slow in the loop.
const value = 0;
const elementOrEnd = 1;
const keyOrEnd = 2;
const key = 3;
const colonNext = 4;
const after = 5;
const done = 6;

const quote = 0x22;
const comma = 0x2c;
const colon = 0x3a;
const backslash = 0x5c;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;

/** Told by a step that needs more bytes than there are. */
const needsMore = -1;
const maxDepth = 10_000;

/**
 * Reads JSON once, byte by byte, along the rules, and notes what is to be renamed.
 *
 * Flow: what no rule speaks of is skipped. Where it depends on a later field which rules hold, the
 * value is skipped as well, and read when that field has come, at the latest at the object's end.
 * Guarantees: the input may break off at any byte. Edits lie inside of strings and do not overlap.
 * Errors: UnreadableBodyError where it is no JSON.
 */
export class JsonWalker {
  readonly edits = new EditList();
  readonly #root: RuleNode;
  readonly #context: WalkContext;
  readonly #levels: Level[] = [];
  readonly #skipper = new ValueSkipper();
  #state = value;
  /** The innermost of the levels. */
  #level: Level | undefined;
  /** The rules for the value that comes next. */
  #next: RuleNode | undefined;
  /** The value that is skipped now, where it has to be read later. */
  #pending: Pending | undefined;
  #capture: Capture | undefined;
  #bytes: Uint8Array = new Uint8Array();
  #base = 0;
  #end = 0;
  #last = false;
  #hasEscapes = false;

  constructor(root: RuleNode, context: WalkContext) {
    this.#root = root;
    this.#context = context;
    this.#next = root;
  }

  /** Whether a document, and nothing after it, has been read. */
  get isDone(): boolean {
    return this.#state === done;
  }

  /** Whether not even the beginning of a document has been read. */
  get isFresh(): boolean {
    return this.#state === value && this.#level === undefined && !this.#skipper.active;
  }

  /** Where in the body it begins what must not be sent on yet. */
  get heldFrom(): number {
    let held = this.#pending?.start ?? Number.POSITIVE_INFINITY;
    for (const { frame } of this.#levels) held = Math.min(held, frame?.heldFrom ?? held);
    return held;
  }

  /** Makes it ready for the next document. */
  restart(): void {
    this.#state = value;
    this.#next = this.#root;
  }

  /** Reads from an index on and returns how far it came: to the end, or to a token that is not complete. */
  walk(piece: Piece, from: number): number {
    const { bytes } = piece;
    const end = bytes.length;
    if (bytes !== this.#bytes) this.#hasEscapes = bytes.includes(backslash);
    this.#bytes = bytes;
    this.#base = piece.base;
    this.#end = end;
    this.#last = piece.last;
    let i = from;
    while (i < end && this.#state !== done) {
      const byte = bytes[i] ?? 0;
      if (this.#skipper.active) i = this.#skip(i);
      else if (byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09) i++;
      else {
        const next = this.#step(byte, i);
        if (next === needsMore) return i;
        i = next;
      }
    }
    return i;
  }

  #step(byte: number, i: number): number {
    switch (this.#state) {
      case value:
        return this.#value(byte, i);
      case elementOrEnd:
        return byte === closeBracket ? this.#close(i) : this.#value(byte, i);
      case keyOrEnd:
        return byte === closeBrace ? this.#close(i) : this.#key(byte, i);
      case key:
        return this.#key(byte, i);
      case colonNext:
        this.#state = value;
        return byte === colon ? i + 1 : unexpected();
      default:
        return this.#after(byte, i);
    }
  }

  #after(byte: number, i: number): number {
    const level = this.#level;
    if (byte === comma && level !== undefined) {
      if (level.isList) this.#nextElement(level);
      else this.#state = key;
      return i + 1;
    }
    if (byte !== (level?.isList ? closeBracket : closeBrace)) unexpected();
    return this.#close(i);
  }

  #value(byte: number, i: number): number {
    const node = this.#next;
    const isString = byte === quote;
    if (!isString && byte !== openBrace && byte !== openBracket) return this.#literal(i);
    if (node !== undefined) return isString ? this.#string(node, i) : this.#open(node, byte, i);
    if (this.#pending !== undefined) this.#pending.start = this.#base + i;
    const end = valueEnd(this.#bytes, i, this.#end);
    if (end >= 0) this.#skipped(end);
    else this.#skipper.begin();
    return end >= 0 ? end : this.#skip(i);
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
      const frame = this.#level?.frame;
      if (frame !== undefined) frame.pending = [...frame.pending, pending];
      this.#pending = undefined;
    }
    this.#valueRead();
  }

  #open(node: RuleNode, byte: number, i: number): number {
    const isList = byte === openBracket;
    if (this.#levels.length >= maxDepth) {
      throw new UnreadableBodyError("JSON", "it is nested too deep");
    }
    const outer = this.#level?.innermost;
    const hasFrame = node.choice !== undefined && !isList;
    const frame = hasFrame ? new Frame(node, outer, this.#context.target) : undefined;
    const level: Level = { node, frame, innermost: frame ?? outer, isList, index: -1 };
    this.#levels.push(level);
    this.#level = level;
    if (isList) this.#nextElement(level);
    this.#state = isList ? elementOrEnd : keyOrEnd;
    return i + 1;
  }

  #nextElement(level: Level): void {
    const { node } = level;
    level.index++;
    this.#next = level.index === 0 ? (node.first ?? node.items) : node.items;
    this.#state = value;
  }

  #close(i: number): number {
    const frame = this.#levels.pop()?.frame;
    this.#level = this.#levels[this.#levels.length - 1];
    if (frame !== undefined) this.#closeFrame(frame);
    this.#valueRead();
    return i + 1;
  }

  #key(byte: number, i: number): number {
    if (byte !== quote) unexpected();
    const past = this.#skipMembers(i);
    if (past !== i) {
      this.#state = this.#bytes[past - 1] === comma ? key : after;
      return past;
    }
    const end = findStringEnd(this.#bytes, i + 1, this.#end);
    if (end < 0) return needsMore;
    if (this.#level !== undefined) this.#enterKey(this.#level, i + 1, end);
    const hasColon = end + 1 < this.#end && this.#bytes[end + 1] === colon;
    this.#state = hasColon ? value : colonNext;
    return hasColon ? end + 2 : end + 1;
  }

  #skipMembers(i: number): number {
    const node = this.#level?.node;
    const isPlain = node !== undefined && node.any === undefined && node.keyForm === undefined;
    return isPlain ? skipMembers(node, this.#bytes, i, this.#end) : i;
  }

  #enterKey(level: Level, start: number, end: number): void {
    const { node, frame } = level;
    const entry = this.#entryOf(node, start, end);
    if (entry === undefined) {
      this.#next = node.any;
      const { keyForm } = node;
      if (keyForm !== undefined) this.#rename({ form: keyForm, edits: undefined }, start, end);
      return;
    }
    this.#next = entry.node;
    if (frame === undefined) return;
    if (entry.captured) {
      this.#capture = { key: entry.key, strings: [], depth: this.#levels.length };
    }
    if (entry.waits) this.#waitFor(frame, entry, end);
  }

  #entryOf(node: RuleNode, start: number, end: number): RuleEntry | undefined {
    const entry = entryOf(node, this.#bytes, start, end);
    if (entry !== undefined || !this.#hasEscapes) return entry;
    return escapedEntryOf(node, this.#bytes, start, end);
  }

  /** The value is read now where it is decided which rules hold for it, else later. */
  #waitFor(frame: Frame, entry: RuleEntry, keyEnd: number): void {
    if (!frame.decided && frame.isPresumed) frame.decide();
    this.#next = frame.chosen?.entry(entry.key)?.node;
    if (!frame.decided) {
      this.#pending = { key: entry.key, start: this.#base + keyEnd, end: 0 };
    }
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
    const { text, edits } = this.#context.memo.read(rule, this.#bytes, start, end);
    const base = this.#base + start;
    for (const edit of edits) {
      this.edits.add({ start: base + edit.start, end: base + edit.end, bytes: edit.bytes });
    }
    return text;
  }

  #literal(i: number): number {
    const end = literalEnd(this.#bytes, i, this.#end);
    if (end === this.#end && !this.#last) return needsMore;
    if (!isLiteral(this.#bytes, i, end)) unexpected();
    // A number or null needs no rules, whatever they will be.
    this.#pending = undefined;
    this.#valueRead();
    return end;
  }

  #valueRead(): void {
    this.#state = this.#level === undefined ? done : after;
    const capture = this.#capture;
    if (capture === undefined || capture.depth !== this.#levels.length) return;
    this.#capture = undefined;
    const frame = this.#level?.frame;
    if (frame?.capture(capture.key, capture.strings)) this.#decide(frame);
  }

  #decide(frame: Frame): void {
    frame.decide();
    const { pending, orphans } = frame;
    frame.pending = [];
    frame.orphans = [];
    for (const waited of pending) {
      const node = frame.chosen?.entry(waited.key)?.node;
      if (node !== undefined) this.#readAgain(node, waited);
    }
    for (const orphan of orphans) this.#decide(orphan);
  }

  #readAgain(node: RuleNode, { start, end }: Pending): void {
    const walker = new JsonWalker(node, this.#context);
    const bytes = this.#bytes.subarray(0, end - this.#base);
    walker.walk({ bytes, base: this.#base, last: true }, start - this.#base);
    for (const edit of walker.edits.take(end)) this.edits.add(edit);
  }

  /** At the end of an object it is decided, unless only its list will tell what it is. */
  #closeFrame(frame: Frame): void {
    if (frame.pending.length === 0 && frame.orphans.length === 0) return;
    const { parent } = frame;
    const isUnknown = frame.kind === undefined && this.#context.target === undefined;
    if (isUnknown && parent?.node === frame.node && !parent.decided)
      parent.orphans = [...parent.orphans, frame];
    else this.#decide(frame);
  }
}

function unexpected(): never {
  throw new UnreadableBodyError("JSON", "it is malformed");
}
