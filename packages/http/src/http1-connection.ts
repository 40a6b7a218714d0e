import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { badRequest, bodyOf, plainAnswer, unknownEncoding } from "./answer-client-error.ts";
import { Context } from "./context.ts";
import { PeerGoneError } from "./errors.ts";
import { receivedHeaders } from "./headers.ts";
import { Http1Transport } from "./http1-transport.ts";
import { Http1UpgradeTransport } from "./http1-upgrade-transport.ts";
import type { Body } from "./message.ts";
import { describePeer, peerKey } from "./peer.ts";
import { readableBody } from "./readable-body.ts";
import { splitTarget } from "./request-target.ts";
import type { ServerConnection } from "./server-connections.ts";
import { ServerExchange, type ServerHooks } from "./server-exchange.ts";

export class Http1Connection implements ServerConnection {
  readonly #socket: Socket;
  readonly #hooks: ServerHooks;
  readonly #context: Context;
  readonly #exchanges = new Set<ServerExchange>();
  #draining = false;

  constructor(socket: Socket, hooks: ServerHooks) {
    this.#socket = socket;
    this.#hooks = hooks;
    this.#context = Context.empty.with(peerKey, describePeer(socket, "HTTP/1.1"));
    // Also aborts requests that wait behind another one, which node:http does not report.
    socket.once("close", () => this.#abort(new PeerGoneError()));
  }

  request(incoming: IncomingMessage, outgoing: ServerResponse): void {
    const target = splitTarget(incoming.url ?? "");
    const problem = problemOf(incoming, target);
    if (!target || problem !== undefined) {
      const headers = { "content-type": "text/plain; charset=utf-8", connection: "close" };
      const line = problem ?? badRequest;
      outgoing.writeHead(Number.parseInt(line, 10), headers).end(bodyOf(line));
      return;
    }
    const transport = new Http1Transport(incoming, outgoing, () => this.#draining);
    const exchange = this.#open(new ServerExchange(transport, this.#hooks));
    outgoing.on("error", () => {}).once("close", () => this.#close(exchange, outgoing));
    const body = requestBody(incoming, exchange.signal, () => transport.sendContinue());
    const headers = receivedHeaders(incoming.rawHeaders);
    void exchange.serve({ ...this.#describe(incoming, exchange), ...target, headers, body });
  }

  /** `rest` came after the request's head. */
  upgrade(incoming: IncomingMessage, rest: Buffer): void {
    // node:http has removed its own listener.
    const socket = this.#socket.on("error", () => {});
    const target = splitTarget(incoming.url ?? "");
    const problem = problemOf(incoming, target);
    if (!target || problem !== undefined) {
      socket.end(plainAnswer(problem ?? badRequest));
      return;
    }
    const transport = new Http1UpgradeTransport(incoming, socket, rest);
    const exchange = this.#open(new ServerExchange(transport, this.#hooks));
    const { upgrade } = incoming.headers;
    const headers = { ...receivedHeaders(incoming.rawHeaders), connection: "Upgrade", upgrade };
    void exchange.serve({ ...this.#describe(incoming, exchange), ...target, headers });
  }

  get isAnswering(): boolean {
    return [...this.#exchanges].some(({ isAnswering }) => isAnswering);
  }

  drain(): void {
    this.#draining = true;
    if (this.#exchanges.size === 0) this.#socket.destroy();
  }

  destroy(reason: Error): void {
    this.#abort(reason);
    this.#socket.destroy();
  }

  #describe(incoming: IncomingMessage, { signal }: ServerExchange) {
    return { method: incoming.method ?? "GET", signal, context: this.#context };
  }

  #open(exchange: ServerExchange): ServerExchange {
    this.#exchanges.add(exchange);
    return exchange;
  }

  #close(exchange: ServerExchange, outgoing: ServerResponse): void {
    if (!outgoing.writableFinished) exchange.abort(new PeerGoneError());
    this.#exchanges.delete(exchange);
    if (this.#draining && this.#exchanges.size === 0) this.#socket.destroySoon();
  }

  #abort(reason: Error): void {
    for (const exchange of this.#exchanges) exchange.abort(reason);
    this.#exchanges.clear();
  }
}

/** Problems that node:http does not check. */
function problemOf(incoming: IncomingMessage, target: object | undefined): string | undefined {
  if (!target) return badRequest;
  const encoding = incoming.headers["transfer-encoding"] ?? "chunked";
  if (encoding.toLowerCase() !== "chunked") return unknownEncoding;
  const hasHost = incoming.headers.host !== undefined || incoming.httpVersion === "1.0";
  return hasHost ? undefined : `${badRequest}: missing required Host header`;
}

function requestBody(incoming: IncomingMessage, signal: AbortSignal, onStart: () => void): Body {
  const { "content-length": length = "0", "transfer-encoding": encoding } = incoming.headers;
  if (encoding === undefined && length === "0") return undefined;
  return readableBody(incoming, { onStart, isComplete: () => incoming.complete, signal });
}
