import { once } from "node:events";
import type { Server } from "node:http";
import type { Http2SecureServer } from "node:http2";
import type { AddressInfo } from "node:net";
import { ListenError, ServerStoppedError } from "./errors.ts";
import { listenHost } from "./listen-host.ts";
import type { Handler, HttpRequest } from "./message.ts";
import {
  createPlainNodeServer,
  createSecureNodeServer,
  type ServerTls,
  secureContextOptions,
} from "./node-server.ts";
import { ServerConnections } from "./server-connections.ts";
import { type ServerLimits, withDefaultLimits } from "./server-limits.ts";

export interface HttpServerOptions {
  readonly handler: Handler;
  /** HTTP/1.1 without TLS; HTTP/1.1 and HTTP/2 with TLS. */
  readonly tls?: ServerTls;
  readonly limits?: ServerLimits;
  /** Receives errors of handlers and body writers with their requests, and of the server itself. */
  readonly onError: (error: unknown, request?: HttpRequest) => void;
}

export interface ListenOptions {
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
}

export interface CloseOptions {
  /** The time for active requests, in milliseconds; 10 s by default. */
  readonly graceMs?: number;
}

const defaultGraceMs = 10_000;

/** A server for one handler. Disposing closes it without grace. */
export class HttpServer implements AsyncDisposable {
  readonly #server: Server | Http2SecureServer;
  readonly #connections = new ServerConnections();
  #tls: ServerTls | undefined;
  #closed: Promise<unknown> | undefined;

  constructor(options: HttpServerOptions) {
    const { handler, onError, tls } = options;
    const limits = withDefaultLimits(options.limits);
    const inner = { hooks: { handler, onError }, limits, connections: this.#connections };
    this.#tls = tls;
    this.#server = tls ? createSecureNodeServer(tls, inner) : createPlainNodeServer(inner);
    this.#server.maxConnections = limits.maxConnections;
    this.#server.on("connection", (socket) => this.#connections.addSocket(socket));
    this.#server.on("error", (error) => {
      if (this.#server.listening) onError(error);
    });
  }

  /** Rejects with `ListenError`. */
  async listen({ host, port }: ListenOptions): Promise<void> {
    try {
      this.#server.listen({ host: listenHost(host), port });
      await once(this.#server, "listening");
    } catch (error) {
      throw new ListenError({ host, port }, error as NodeJS.ErrnoException);
    }
  }

  /** Throws before it listens. */
  get address(): AddressInfo {
    const address = this.#server.address();
    if (address === null || typeof address === "string") {
      throw new Error("could not tell the address of the server: it does not listen");
    }
    return address;
  }

  /** The URL for clients on this machine. */
  get url(): string {
    const { address, family, port } = this.address;
    const isAny = address === "0.0.0.0" || address === "::";
    const host = family === "IPv6" ? `[${address}]` : address;
    return `${this.#tls ? "https" : "http"}://${isAny ? "localhost" : host}:${port}`;
  }

  /** For new connections. */
  replaceCertificate(tls: Partial<ServerTls> & Pick<ServerTls, "cert" | "key">): void {
    if (!this.#tls || !("setSecureContext" in this.#server)) {
      throw new Error("could not replace the certificate of the server: it speaks without TLS");
    }
    const replaced = { ...this.#tls, ...tls };
    this.#server.setSecureContext(secureContextOptions(replaced));
    this.#tls = replaced;
  }

  /**
   * Rejects new connections and requests, waits for active ones, and aborts them after the grace.
   * A second call can only shorten the grace.
   */
  async close({ graceMs = defaultGraceMs }: CloseOptions = {}): Promise<void> {
    this.#closed ??= this.#stop();
    const timer = setTimeout(() => this.#connections.destroy(new ServerStoppedError()), graceMs);
    await this.#closed;
    clearTimeout(timer);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close({ graceMs: 0 });
  }

  #stop(): Promise<unknown> {
    const closed = this.#server.listening ? once(this.#server, "close") : Promise.resolve();
    this.#server.close();
    this.#connections.drain();
    return closed;
  }
}

export function createHttpServer(options: HttpServerOptions): HttpServer {
  return new HttpServer(options);
}
