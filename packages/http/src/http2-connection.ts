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

export class Http2Connection implements ServerConnection {
  readonly #session: ServerHttp2Session;
  readonly #hooks: ServerHooks;
  readonly #limits: Required<ServerLimits>;
  readonly #context: Context;
  readonly #open = new Set<ServerExchange>();
  /** The number of running handlers, including those of reset streams. */
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
    // Separately, because node:http2 would end one of them cleanly.
    for (const exchange of this.#open) exchange.destroy(reason);
    setImmediate(() => this.#session.destroy());
  }

  #onStream(stream: ServerHttp2Stream, pseudo: IncomingHttpHeaders, raw: string[]): void {
    // A reset is reported as `aborted` and `close`.
    stream.on("error", () => {});
    // Limits rapid resets of streams (CVE-2023-44487).
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
  readonly isConnect: boolean;
}

/**
 * The head of a request as handlers see it. An extended CONNECT (RFC 8441) becomes an HTTP/1.1
 * upgrade. Undefined for an invalid head.
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
  // A server behind a proxy that speaks HTTP/1.1 needs the key.
  if (protocol === "websocket") headers["sec-websocket-key"] ??= randomBytes(16).toString("base64");
  return { method: "GET", ...split, headers, isConnect: true };
}
