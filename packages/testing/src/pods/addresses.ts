/**
 * Loopback addresses, each given once at a time. The network tells runs on one machine apart by
 * the number of their process; an address is reused as late as possible.
 */
export class LoopbackAddresses {
  readonly #network: string;
  readonly #taken = new Set<number>();
  #last = 0;

  constructor(process: number) {
    this.#network = `127.${64 + (Math.floor(process / 256) % 128)}.${process % 256}`;
  }

  take(): string {
    for (let tried = 0; tried < 254; tried += 1) {
      this.#last = (this.#last % 254) + 1;
      if (this.#taken.has(this.#last)) continue;
      this.#taken.add(this.#last);
      return `${this.#network}.${this.#last}`;
    }
    throw new Error(
      `could not take an address: all 254 of ${this.#network}.0/24 are in use; run fewer pods in one test`,
    );
  }

  release(address: string): void {
    this.#taken.delete(Number(address.slice(this.#network.length + 1)));
  }
}
