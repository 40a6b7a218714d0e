import { NodeError } from "../errors.ts";

/** Loopback addresses of a network, each given once at a time and reused as late as possible. */
export class PodAddresses {
  readonly #cidr: string;
  readonly #base: number;
  readonly #size: number;
  readonly #taken = new Set<number>();
  #last = 0;

  constructor(cidr: string) {
    const [, a, b, c, d, bits] = /^(\d+)\.(\d+)\.(\d+)\.(\d+)\/(\d+)$/.exec(cidr) ?? [];
    if (a !== "127" || Number(bits) > 30 || Number(bits) < 8) {
      throw new NodeError(
        `could not take ${cidr} for pods: it is no network of loopback addresses; take one such as 127.64.0.0/16`,
      );
    }
    this.#cidr = cidr;
    this.#size = 2 ** (32 - Number(bits));
    const given = [a, b, c, d].reduce((sum, part) => sum * 256 + Number(part), 0);
    this.#base = given - (given % this.#size);
  }

  take(): string {
    // The first and the last are the network and its broadcast.
    for (let tried = 2; tried < this.#size; tried += 1) {
      this.#last = (this.#last % (this.#size - 2)) + 1;
      if (this.#taken.has(this.#last)) continue;
      this.#taken.add(this.#last);
      return addressText(this.#base + this.#last);
    }
    throw new NodeError(`could not take an address: all of ${this.#cidr} are in use`);
  }

  /** Takes a known address; false where it is in use or not of this network. */
  keep(address: string): boolean {
    const offset = this.#offsetOf(address);
    if (offset <= 0 || offset >= this.#size - 1 || this.#taken.has(offset)) return false;
    this.#taken.add(offset);
    this.#last = Math.max(this.#last, offset);
    return true;
  }

  release(address: string): void {
    this.#taken.delete(this.#offsetOf(address));
  }

  #offsetOf(address: string): number {
    return address.split(".").reduce((sum, part) => sum * 256 + Number(part), 0) - this.#base;
  }
}

function addressText(number: number): string {
  return [24, 16, 8, 0].map((shift) => Math.floor(number / 2 ** shift) % 256).join(".");
}
