import { HeldBytes } from "../held-bytes.ts";

/** Bytes on their way, of which some are left out. What is not decided yet is held. */
export class CutBuffer {
  readonly #held = new HeldBytes();
  #sent: Uint8Array[] = [];
  /** What comes before has been sent on or left out. */
  #from = 0;

  /** What has not been sent on. */
  get bytes(): Uint8Array {
    return this.#held.bytes;
  }

  append(chunk: Uint8Array): void {
    this.#held.append(chunk);
  }

  /** Leaves out what stands between two places, or puts something else there. */
  cut(start: number, end: number, instead?: Uint8Array): void {
    if (start > this.#from) this.#sent.push(this.bytes.subarray(this.#from, start));
    if (instead !== undefined) this.#sent.push(instead);
    this.#from = end;
  }

  /** All that comes before `held`, which is the beginning from now on. */
  flush(held: number): readonly Uint8Array[] {
    this.cut(held, held);
    const sent = this.#sent;
    this.#held.drop(held);
    this.#from = 0;
    this.#sent = [];
    return sent;
  }
}
