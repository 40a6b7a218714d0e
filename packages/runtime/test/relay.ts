import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";

/**
 * A TCP relay before a server, which breaks connections at any byte, or goes silent without a word,
 * as networks do.
 */
export class Relay implements AsyncDisposable {
  /** How many connections were made. */
  connections = 0;
  /** How many were cut. */
  cuts = 0;
  /** Bytes from the server that got through. */
  bytes = 0;
  /** All connections are cut, once, when so many bytes from the server have got through. */
  cutAfter = Number.POSITIVE_INFINITY;
  /** Whether a cut connection is reset, or ends as if all had been said. */
  how: "reset" | "end" = "reset";
  readonly #target: URL;
  readonly #server: Server;
  readonly #pairs = new Map<Socket, Socket>();
  #silent = new Set<Socket>();

  private constructor(target: URL) {
    this.#target = target;
    this.#server = createServer((client) => this.#join(client));
  }

  /** In front of a server such as "https://127.0.0.1:6443". */
  static async start(server: string): Promise<Relay> {
    const relay = new Relay(new URL(server));
    relay.#server.listen(0, "127.0.0.1");
    await once(relay.#server, "listening");
    return relay;
  }

  get url(): string {
    return `https://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  cut(): void {
    for (const client of this.#pairs.keys()) {
      this.cuts++;
      if (this.how === "reset") client.resetAndDestroy();
      else client.destroy();
    }
  }

  /** Connections that are open stay so, and nothing comes through them any more. New ones are fine. */
  silence(): void {
    this.#silent = new Set(this.#pairs.keys());
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const client of this.#pairs.keys()) client.destroy();
    this.#server.close();
    await once(this.#server, "close");
  }

  #join(client: Socket): void {
    this.connections++;
    const upstream = connect(Number(this.#target.port), this.#target.hostname);
    this.#pairs.set(client, upstream);
    client.on("close", () => {
      this.#pairs.delete(client);
      upstream.destroy();
    });
    upstream.on("close", () => {
      if (!this.#silent.has(client)) client.destroy();
    });
    for (const socket of [client, upstream]) socket.setNoDelay().on("error", () => {});
    client.on("data", (chunk) => void (this.#silent.has(client) || upstream.write(chunk)));
    upstream.on("data", (chunk) => void (this.#silent.has(client) || this.#pass(chunk, client)));
  }

  #pass(chunk: Buffer, client: Socket): void {
    const passed = chunk.subarray(0, this.cutAfter - this.bytes);
    this.bytes += passed.length;
    if (passed.length > 0) client.write(passed);
    if (this.bytes < this.cutAfter) return;
    this.cutAfter = Number.POSITIVE_INFINITY;
    // What was written is to arrive before the connection breaks.
    client.write("", () => this.cut());
  }
}
