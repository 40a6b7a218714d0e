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
  /** Without it the server speaks HTTP/1.1 in the clear; with it, HTTP/1.1 and HTTP/2. */
  readonly tls?: ServerTls;
  readonly limits?: ServerLimits;
  /**
   * Hears what a handler or a body writer threw, with its request, and what happened to the server
   * itself. A client that leaves is no error.
   */
  readonly onError: (error: unknown, request?: HttpRequest) => void;
}

export interface ListenOptions {
  readonly host: string;
  /** 0 takes any free one. */
  readonly port: number;
}

export interface CloseOptions {
  /** How long requests on their way may take, in milliseconds; then they are aborted. 10 s. */
  readonly graceMs?: number;
}

const defaultGraceMs = 10_000;

/** A server for one handler. Disposing of it is closing it without grace. */
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

  /** Where it listens; throws before it does. */
  get address(): AddressInfo {
    const address = this.#server.address();
    if (address === null || typeof address === "string") {
      throw new Error("could not tell the address of the server: it does not listen");
    }
    return address;
  }

  /** What a client on this machine can reach it by. */
  get url(): string {
    const { address, family, port } = this.address;
    const isAny = address === "0.0.0.0" || address === "::";
    const host = family === "IPv6" ? `[${address}]` : address;
    return `${this.#tls ? "https" : "http"}://${isAny ? "localhost" : host}:${port}`;
  }

  /** New connections get this certificate; those that are open go on with theirs. */
  replaceCertificate(tls: Partial<ServerTls> & Pick<ServerTls, "cert" | "key">): void {
    if (!this.#tls || !("setSecureContext" in this.#server)) {
      throw new Error("could not replace the certificate of the server: it speaks without TLS");
    }
    const replaced = { ...this.#tls, ...tls };
    this.#server.setSecureContext(secureContextOptions(replaced));
    this.#tls = replaced;
  }

  /**
   * Stops: takes no new connection or request, lets those on their way finish, and after the grace
   * aborts what is left. Called again, it can only shorten the grace.
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
