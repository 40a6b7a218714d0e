/**
 * One handler shape for clients, proxies and servers: a request in, a response out, with
 * interceptors. Adapters connect it to undici and to node:http2 servers: a proxy is a server whose
 * handler is a client's.
 */
export { bodyLength, collectBody, discardBody, singleUse, writeBody } from "./body.ts";
export { Context, type ContextKey, contextKey } from "./context.ts";
export { answerWithin, type DeadlineOptions } from "./deadline.ts";
export {
  BodyLengthMismatchError,
  BodyTooLargeError,
  BodyUsedError,
  InvalidOriginError,
  InvalidResponseError,
  InvalidThumbprintError,
  ListenError,
  PeerGoneError,
  RequestError,
  type RequestErrorCode,
  type RequestStage,
  ServerStoppedError,
  ThumbprintMismatchError,
} from "./errors.ts";
export {
  type ExchangeLimits,
  exchangeLimitsKey,
  limitExchanges,
  noLimits,
  streamLimits,
} from "./exchange-limits.ts";
export { headerValue, upgradeProtocol } from "./headers.ts";
export {
  type ClientTimeouts,
  type ClientTls,
  createHttpClient,
  type HttpClient,
  type HttpClientOptions,
} from "./http-client.ts";
export { isLoopback, listenHost, podHost } from "./listen-host.ts";
export type {
  Body,
  BodyWriter,
  Handler,
  HttpHeaders,
  HttpRequest,
  HttpResponse,
  Interceptor,
  Sink,
} from "./message.ts";
export { compose } from "./message.ts";
export type { ServerTls } from "./node-server.ts";
export { type Peer, type PeerCertificate, peerKey } from "./peer.ts";
export { RelaySink, untilAborted } from "./relay-sink.ts";
export { remoteText } from "./remote-text.ts";
export {
  type CloseOptions,
  createHttpServer,
  type HttpServer,
  type HttpServerOptions,
  type ListenOptions,
} from "./server.ts";
export type { ServerLimits } from "./server-limits.ts";
