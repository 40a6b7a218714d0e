import type { RuleEntry, RuleNode } from "../rules/rule-node.ts";
import type { Frame, Pending } from "./frame.ts";

/** Strings that take part in a choice, while they are read. */
interface Capture {
  readonly key: string;
  readonly strings: string[];
  /** How many levels are open around the value. */
  readonly depth: number;
}

/** Reads a value that was passed over, now that its rules are known. */
type ReadAgain = (node: RuleNode, pending: Pending) => void;

/**
 * Decides which rules hold for the fields of an object, as soon as what the choice depends on has
 * been read; at the latest at the object's end. What comes before is read again then.
 */
export class Decisions {
  readonly #readAgain: ReadAgain;
  readonly #hasTarget: boolean;
  #capture: Capture | undefined;
  /** The value that is passed over now, where it has to be read later. */
  #pending: Pending | undefined;

  constructor(readAgain: ReadAgain, hasTarget: boolean) {
    this.#readAgain = readAgain;
    this.#hasTarget = hasTarget;
  }

  /** Whether strings are wanted now, whatever their rules. */
  get isCapturing(): boolean {
    return this.#capture !== undefined;
  }

  /** Where the value begins that has to be read later. */
  get pendingFrom(): number {
    return this.#pending?.start ?? Number.POSITIVE_INFINITY;
  }

  /** The rules for the value of a key; undefined where there are none, or none yet. */
  enter(frame: Frame, entry: RuleEntry, depth: number): RuleNode | undefined {
    if (entry.captured) this.#capture = { key: entry.key, strings: [], depth };
    return entry.waits ? this.#waitFor(frame, entry) : entry.node;
  }

  /** The value is read now where it is decided which rules hold for it, else later. */
  #waitFor(frame: Frame, { key }: RuleEntry): RuleNode | undefined {
    if (!frame.decided && frame.isPresumed) frame.decide();
    if (!frame.decided) this.#pending = { key, start: Number.POSITIVE_INFINITY, end: 0 };
    return frame.chosen?.entry(key)?.node;
  }

  capture(text: string): void {
    this.#capture?.strings.push(text);
  }

  /** What is passed over begins here. */
  beginSkip(at: number): void {
    if (this.#pending !== undefined) this.#pending.start = at;
  }

  endSkip(frame: Frame | undefined, at: number): void {
    const pending = this.#pending;
    if (pending === undefined) return;
    pending.end = at;
    frame?.pending.push(pending);
    this.#pending = undefined;
  }

  /** A number or null needs no rules, whatever they will be. */
  dropSkip(): void {
    this.#pending = undefined;
  }

  /** A value was read, at whose end so many levels are open. */
  valueRead(frame: Frame | undefined, depth: number): void {
    const capture = this.#capture;
    if (capture === undefined || capture.depth !== depth) return;
    this.#capture = undefined;
    if (frame?.capture(capture.key, capture.strings)) this.#decide(frame);
  }

  /** At the end of an object it is decided, unless only its list will tell what it is. */
  close(frame: Frame): void {
    if (frame.pending.length === 0 && frame.orphans.length === 0) return;
    const { parent } = frame;
    const isUnknown = frame.inherits && frame.kind === undefined && !this.#hasTarget;
    if (isUnknown && parent?.node === frame.node && !parent.decided) parent.orphans.push(frame);
    else this.#decide(frame);
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
}
