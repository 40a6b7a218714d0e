/**
 * One handler shape for clients, proxies and servers: a request in, a response out, interceptors
 * around it. Adapters join it to undici on one side and to a node:http2 server on the other.
 */
export { compose } from "./compose.ts";
export { Context, type ContextKey, contextKey } from "./context.ts";
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
