import { EditList } from "../byte-edits.ts";
import { UnreadableBodyError } from "../errors.ts";
import {
  beginsAt,
  isRemembered,
  type KnownText,
  type RuleEntry,
  type RuleNode,
} from "../rules/rule-node.ts";
import { Decisions } from "./decisions.ts";
import { Level, type Pending } from "./frame.ts";
import { findStringEnd } from "./json-string.ts";
import { entryOf, escapedEntryOf } from "./key-lookup.ts";
import { isLiteral, literalEnd } from "./literal.ts";
import { skipMembers } from "./simd/scanner.ts";
import { valueEnd } from "./value-end.ts";
import { ValueSkipper } from "./value-skipper.ts";
import type { Piece, WalkContext } from "./walk-context.ts";

// States. Local constants: imported ones are slow in the loop.
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
const openBracket = 0x5b;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;

/** Returned by a step that needs more bytes. */
const needsMore = -1;
const maxDepth = 10_000;

/**
 * Reads JSON once, token by token, along the rules, and notes what is to be renamed.
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
  readonly #decisions: Decisions;
  #state = value;
  /** The innermost level. */
  #level: Level | undefined;
  /** The rules for the next value. */
  #next: RuleNode | undefined;
  #bytes: Uint8Array = new Uint8Array();
  #base = 0;
  #end = 0;
  #last = false;
  #hasEscapes = false;

  constructor(root: RuleNode, context: WalkContext) {
    this.#root = root;
    this.#context = context;
    this.#next = root;
    this.#decisions = new Decisions(
      (node, pending) => this.#readAgain(node, pending),
      context.target !== undefined,
    );
  }

  /** Whether exactly one document was read. */
  get isDone(): boolean {
    return this.#state === done;
  }

  /** Whether no byte of a document was read. */
  get isFresh(): boolean {
    return this.#state === value && this.#level === undefined && !this.#skipper.active;
  }

  /** The beginning of the part of the body that must not be sent yet. */
  get heldFrom(): number {
    let held = this.#decisions.pendingFrom;
    for (const { frame } of this.#levels) held = Math.min(held, frame?.heldFrom ?? held);
    return held;
  }

  /** Starts the next document. */
  restart(): void {
    this.#state = value;
    this.#next = this.#root;
  }

  /** Returns the new position: the end, or the beginning of an incomplete token. */
  walk({ bytes, end, base, last, hasEscapes }: Piece, from: number): number {
    this.#bytes = bytes;
    this.#hasEscapes = hasEscapes;
    this.#base = base;
    this.#end = end;
    this.#last = last;
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
      if (level.isList) this.#next = level.nextElement();
      this.#state = level.isList ? value : key;
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
    this.#decisions.beginSkip(this.#base + i);
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
    this.#decisions.endSkip(this.#level?.frame, this.#base + end);
    this.#valueRead();
  }

  #open(node: RuleNode, byte: number, i: number): number {
    if (this.#levels.length >= maxDepth) {
      throw new UnreadableBodyError("JSON", "it is nested too deep");
    }
    const isList = byte === openBracket;
    const level = new Level({ node, isList }, this.#level, this.#context.target);
    this.#levels.push(level);
    this.#level = level;
    if (isList) this.#next = level.nextElement();
    this.#state = isList ? elementOrEnd : keyOrEnd;
    return i + 1;
  }

  #close(i: number): number {
    const frame = this.#levels.pop()?.frame;
    this.#level = this.#levels[this.#levels.length - 1];
    if (frame !== undefined) this.#decisions.close(frame);
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
    return isPlain ? skipMembers(this.#bytes, i, this.#end, node.keyFilter) : i;
  }

  #enterKey({ node, frame }: Level, start: number, end: number): void {
    const entry = this.#entryOf(node, start, end);
    if (entry === undefined) {
      this.#next = node.any;
      const { keyForm } = node;
      if (keyForm === undefined) return;
      const rule = { form: keyForm, edits: undefined };
      const known = this.#context.memo.read(rule, this.#bytes, start, end);
      this.edits.addAll(known.edits, this.#base + start);
    } else if (frame === undefined) this.#next = entry.node;
    else this.#next = this.#decisions.enter(frame, entry, this.#levels.length);
  }

  #entryOf(node: RuleNode, start: number, end: number): RuleEntry | undefined {
    const entry = entryOf(node, this.#bytes, start, end);
    if (entry !== undefined || !this.#hasEscapes) return entry;
    return escapedEntryOf(node, this.#bytes, start, end);
  }

  #string(node: RuleNode, i: number): number {
    const guess = node.lastText;
    if (guess !== undefined && beginsAt(guess, this.#bytes, i + 1)) {
      return this.#stringRead(guess, i);
    }
    const end = findStringEnd(this.#bytes, i + 1, this.#end);
    if (end < 0) return needsMore;
    if (node.form !== undefined || node.edits !== undefined || this.#decisions.isCapturing) {
      const known = this.#context.memo.read(node, this.#bytes, i + 1, end);
      if (isRemembered(known, node)) node.lastText = known;
      return this.#stringRead(known, i);
    }
    this.#valueRead();
    return end + 1;
  }

  #stringRead(known: KnownText, i: number): number {
    this.edits.addAll(known.edits, this.#base + i + 1);
    this.#decisions.capture(known.text);
    this.#valueRead();
    return i + 1 + known.raw.length;
  }

  #literal(i: number): number {
    const end = literalEnd(this.#bytes, i, this.#end);
    if (end === this.#end && !this.#last) return needsMore;
    if (!isLiteral(this.#bytes, i, end)) unexpected();
    this.#decisions.dropSkip();
    this.#valueRead();
    return end;
  }

  #valueRead(): void {
    this.#state = this.#level === undefined ? done : after;
    this.#decisions.valueRead(this.#level?.frame, this.#levels.length);
  }

  #readAgain(node: RuleNode, { start, end }: Pending): void {
    const walker = new JsonWalker(node, this.#context);
    const piece = { bytes: this.#bytes, base: this.#base, hasEscapes: this.#hasEscapes };
    walker.walk({ ...piece, end: end - this.#base, last: true }, start - this.#base);
    this.edits.addAll(walker.edits.take(end), 0);
  }
}

function unexpected(): never {
  throw new UnreadableBodyError("JSON", "it is malformed");
}
