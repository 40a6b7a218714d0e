import { createSocket, type Socket as Datagrams, type RemoteInfo } from "node:dgram";
import { connect, createServer, type Server, type Socket } from "node:net";
import { messageOf } from "@rookery/errors";
import type { Logger } from "@rookery/runtime";
import type { Target } from "./ready-endpoints.ts";
import type { RelayAddress } from "./relay-addresses.ts";

export interface RelayListenerOptions {
  readonly address: RelayAddress;
  /** The endpoint for a client; undefined where there is none. */
  readonly choose: (client: string) => Target | undefined;
  readonly logger: Logger;
}

/** How long a client of a protocol without connections is known. */
const datagramIdleMs = 60_000;

/** One port of a Service, open at one address. */
export class RelayListener {
  readonly #options: RelayListenerOptions;
  readonly #sockets = new Set<Socket>();
  readonly #flows = new Map<string, Datagrams>();
  #server: Server | undefined;
  #datagrams: Datagrams | undefined;

  constructor(options: RelayListenerOptions) {
    this.#options = options;
  }

  get isOpen(): boolean {
    return this.#server !== undefined || this.#datagrams !== undefined;
  }

  /** Why it can't, and the way out; undefined where it is open. Never rejects. */
  async open(): Promise<string | undefined> {
    try {
      if (this.#options.address.protocol === "UDP") await this.#openDatagrams();
      else await this.#openServer();
      return undefined;
    } catch (error) {
      return describe(error, this.#options.address);
    }
  }

  async end(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    for (const flow of this.#flows.values()) flow.close();
    this.#flows.clear();
    const [server, datagrams] = [this.#server, this.#datagrams];
    if (server) await new Promise<void>((resolve) => server.close(() => resolve()));
    if (datagrams) await new Promise<void>((resolve) => datagrams.close(() => resolve()));
  }

  async #openServer(): Promise<void> {
    const { host, port } = this.#options.address;
    const server = createServer({ allowHalfOpen: true }, (socket) => this.#relay(socket));
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen({ host, port }, () => resolve());
    });
    server.removeAllListeners("error");
    // Such as for want of file descriptors: that connection is lost, and others may do.
    server.on("error", (error) => this.#options.logger.error(error, "Could not accept"));
    this.#server = server;
  }

  #relay(client: Socket): void {
    const target = this.#options.choose(client.remoteAddress ?? "");
    // As a firewall that rejects: at once, and not by silence.
    if (target === undefined) return void client.resetAndDestroy();
    const pod = connect({ ...target, allowHalfOpen: true });
    for (const [one, other] of [
      [client, pod],
      [pod, client],
    ] as const) {
      this.#sockets.add(one);
      one.setNoDelay(true);
      one.on("error", () => (other.pending ? other.destroy() : other.resetAndDestroy()));
      one.once("close", () => {
        this.#sockets.delete(one);
        // An end that was said on both sides is no loss.
        if (!other.writableEnded) other.destroy();
      });
      one.pipe(other);
    }
  }

  async #openDatagrams(): Promise<void> {
    const { host, port } = this.#options.address;
    const datagrams = createSocket("udp4");
    datagrams.on("message", (message, from) => this.#forward(message, from));
    await new Promise<void>((resolve, reject) => {
      datagrams.once("error", (error) => {
        datagrams.close();
        reject(error);
      });
      datagrams.bind({ address: host, port, exclusive: true }, () => resolve());
    });
    datagrams.removeAllListeners("error");
    datagrams.on("error", (error) => this.#options.logger.error(error, "Could not receive"));
    this.#datagrams = datagrams;
  }

  #forward(message: Buffer, from: RemoteInfo): void {
    const key = `${from.address}:${from.port}`;
    const known = this.#flows.get(key);
    if (known) return void known.send(message);
    const target = this.#options.choose(from.address);
    if (target === undefined) return;
    const flow = createSocket("udp4");
    this.#flows.set(key, flow);
    const forget = () => {
      if (this.#flows.get(key) !== flow) return;
      this.#flows.delete(key);
      flow.close();
    };
    let timer = setTimeout(forget, datagramIdleMs).unref();
    flow.on("error", forget);
    flow.once("close", () => clearTimeout(timer));
    flow.on("message", (answer) => {
      clearTimeout(timer);
      timer = setTimeout(forget, datagramIdleMs).unref();
      this.#datagrams?.send(answer, from.port, from.address);
    });
    flow.connect(target.port, target.host, () => flow.send(message));
  }
}

function describe(error: unknown, { port }: RelayAddress): string {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code === "EACCES") {
    const root = "run the node as root or lower net.ipv4.ip_unprivileged_port_start";
    return `an ordinary user may not open port ${port}; use a port from 1024 on, or ${root}`;
  }
  if (code === "EADDRINUSE") {
    return `another process has port ${port} there or on all addresses; end it, or give the Service another port`;
  }
  if (code === "EADDRNOTAVAIL") {
    return "this machine has no such address; on macOS add it by ifconfig lo0 alias";
  }
  return messageOf(error);
}
