import type { RuleEntry, RuleNode } from "../rules/rule-node.ts";
import type { Frame, Pending } from "./frame.ts";

/** The strings of a key that decides a choice, while it is read. */
interface Capture {
  readonly key: string;
  readonly strings: string[];
  /** The number of open levels around the value. */
  readonly depth: number;
}

/** Reads a skipped value after its rules are known. */
type ReadAgain = (node: RuleNode, pending: Pending) => void;

/**
 * Decides which rules apply to the fields of an object, as soon as the deciding keys were read, at
 * the latest at its end. Earlier values are then read again.
 */
export class Decisions {
  readonly #readAgain: ReadAgain;
  readonly #hasTarget: boolean;
  #capture: Capture | undefined;
  /** The value that is being skipped and must be read later. */
  #pending: Pending | undefined;

  constructor(readAgain: ReadAgain, hasTarget: boolean) {
    this.#readAgain = readAgain;
    this.#hasTarget = hasTarget;
  }

  /** Whether strings are captured, whatever their rules. */
  get isCapturing(): boolean {
    return this.#capture !== undefined;
  }

  /** The beginning of the skipped value. */
  get pendingFrom(): number {
    return this.#pending?.start ?? Number.POSITIVE_INFINITY;
  }

  /** The rules for a key's value; undefined where there are none, or none yet. */
  enter(frame: Frame, entry: RuleEntry, depth: number): RuleNode | undefined {
    if (entry.captured) this.#capture = { key: entry.key, strings: [], depth };
    return entry.waits ? this.#waitFor(frame, entry) : entry.node;
  }

  /** Reads the value now if the choice is made, else later. */
  #waitFor(frame: Frame, { key }: RuleEntry): RuleNode | undefined {
    if (!frame.decided && frame.isPresumed) frame.decide();
    if (!frame.decided) this.#pending = { key, start: Number.POSITIVE_INFINITY, end: 0 };
    return frame.chosen?.entry(key)?.node;
  }

  capture(text: string): void {
    this.#capture?.strings.push(text);
  }

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

  /** Numbers and null need no rules. */
  dropSkip(): void {
    this.#pending = undefined;
  }

  /** A value ended at this depth. */
  valueRead(frame: Frame | undefined, depth: number): void {
    const capture = this.#capture;
    if (capture === undefined || capture.depth !== depth) return;
    this.#capture = undefined;
    if (frame?.capture(capture.key, capture.strings)) this.#decide(frame);
  }

  /** Decides at the end of an object, unless only its list can decide. */
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
