import { randomBytes } from "node:crypto";
import {
  constants,
  type IncomingHttpHeaders,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from "node:http2";
import { Context } from "./context.ts";
import { PeerGoneError } from "./errors.ts";
import { receivedHeaders } from "./headers.ts";
import { Http2Transport } from "./http2-transport.ts";
import type { Body, HttpRequest } from "./message.ts";
import { describePeer, peerKey } from "./peer.ts";
import { readableBody } from "./readable-body.ts";
import { splitTarget } from "./request-target.ts";
import type { ServerConnection } from "./server-connections.ts";
import { ServerExchange, type ServerHooks } from "./server-exchange.ts";
import type { ServerLimits } from "./server-limits.ts";

/** One client's connection that speaks HTTP/2. */
export class Http2Connection implements ServerConnection {
  readonly #session: ServerHttp2Session;
  readonly #hooks: ServerHooks;
  readonly #limits: Required<ServerLimits>;
  readonly #context: Context;
  readonly #open = new Set<ServerExchange>();
  /** How many handlers work, those of streams that were reset included. */
  #working = 0;
  #idleTimer: NodeJS.Timeout | undefined;

  constructor(session: ServerHttp2Session, hooks: ServerHooks, limits: Required<ServerLimits>) {
    this.#session = session;
    this.#hooks = hooks;
    this.#limits = limits;
    this.#context = Context.empty.with(peerKey, describePeer(session.socket, "HTTP/2.0"));
    session.on("stream", (stream, headers, _, raw) => this.#onStream(stream, headers, raw));
    session.once("close", () => clearTimeout(this.#idleTimer));
    this.#awaitStream(limits.headersTimeout);
  }

  drain(): void {
    this.#session.close();
  }

  destroy(reason: Error): void {
    // Each by itself: with the session alone, node:http2 would end one of them cleanly.
    for (const exchange of this.#open) exchange.destroy(reason);
    setImmediate(() => this.#session.destroy());
  }

  #onStream(stream: ServerHttp2Stream, pseudo: IncomingHttpHeaders, raw: string[]): void {
    // A reset shows as `aborted` and `close`.
    stream.on("error", () => {});
    // A client that opens and resets streams faster than their handlers end (CVE-2023-44487).
    if (this.#working >= 2 * this.#limits.maxConcurrentStreams) {
      this.#session.goaway(constants.NGHTTP2_ENHANCE_YOUR_CALM);
      this.destroy(new PeerGoneError("the client resets too many streams"));
      return;
    }
    const head = http2RequestHead(pseudo, raw);
    if (head) void this.#serve(stream, head);
    else stream.respond({ ":status": 400 }, { endStream: true });
  }

  async #serve(stream: ServerHttp2Stream, head: Http2RequestHead): Promise<void> {
    const { isConnect, ...target } = head;
    const transport = new Http2Transport(stream, { isConnect, expect: head.headers.expect });
    const exchange = new ServerExchange(transport, this.#hooks);
    const { signal } = exchange;
    this.#track(stream, exchange);
    const body = isConnect ? undefined : this.#body(stream, exchange, transport);
    this.#working++;
    await exchange.serve({ ...target, body, signal, context: this.#context });
    this.#working--;
  }

  #track(stream: ServerHttp2Stream, exchange: ServerExchange): void {
    clearTimeout(this.#idleTimer);
    this.#open.add(exchange);
    stream.once("aborted", () => exchange.abort(new PeerGoneError()));
    stream.once("close", () => {
      if (!stream.writableFinished) exchange.abort(new PeerGoneError());
      this.#open.delete(exchange);
      if (this.#open.size === 0) this.#awaitStream(this.#limits.idleTimeout);
    });
  }

  #body(stream: ServerHttp2Stream, exchange: ServerExchange, transport: Http2Transport): Body {
    if (stream.endAfterHeaders) return undefined;
    const onStart = () => {
      transport.sendContinue();
      this.#limitBodyTime(stream, exchange);
    };
    const { signal } = exchange;
    return readableBody(stream, { onStart, isComplete: () => !stream.aborted, signal });
  }

  #limitBodyTime(stream: ServerHttp2Stream, exchange: ServerExchange): void {
    const { bodyTimeout } = this.#limits;
    if (bodyTimeout === 0) return;
    const timer = setTimeout(() => {
      exchange.abort(new PeerGoneError("the client did not send its body in time"));
      stream.close(constants.NGHTTP2_CANCEL);
    }, bodyTimeout);
    const clear = () => clearTimeout(timer);
    stream.once("end", clear).once("close", clear);
  }

  #awaitStream(timeout: number): void {
    if (timeout === 0 || this.#session.closed) return;
    this.#idleTimer = setTimeout(() => this.#session.close(), timeout).unref();
  }
}

interface Http2RequestHead extends Pick<HttpRequest, "method" | "path" | "query" | "headers"> {
  /** Whether it asks to switch the protocol. */
  readonly isConnect: boolean;
}

/**
 * The head of a request in the one form that handlers see. An extended CONNECT (RFC 8441) becomes
 * the request that HTTP/1.1 has for it, so that a handler need not know both. Undefined where
 * there is no such form.
 */
function http2RequestHead(
  pseudo: IncomingHttpHeaders,
  raw: readonly string[],
): Http2RequestHead | undefined {
  const { ":method": method = "", ":path": target = "", ":protocol": protocol } = pseudo;
  const split = splitTarget(target);
  if (!split || !/^[A-Z][A-Z-]*$/.test(method)) return undefined;
  const headers = receivedHeaders(raw);
  headers.host ??= pseudo[":authority"] ?? "";
  if (protocol === undefined) return { method, ...split, headers, isConnect: false };
  headers.connection = "Upgrade";
  headers.upgrade = String(protocol);
  // HTTP/2 needs no such handshake; a server behind us that speaks HTTP/1.1 does.
  if (protocol === "websocket") headers["sec-websocket-key"] ??= randomBytes(16).toString("base64");
  return { method: "GET", ...split, headers, isConnect: true };
}
