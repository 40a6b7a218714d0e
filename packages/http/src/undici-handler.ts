import type { Dispatcher } from "undici";
import { bodyLength, writeBody } from "./body.ts";
import { headerValue, upgradeProtocol, withoutHopByHop } from "./headers.ts";
import type { Body, Handler, HttpRequest } from "./message.ts";
import { RequestBodyStream } from "./request-body-stream.ts";
import { type Destroyable, UndiciExchange } from "./undici-exchange.ts";

/** Called for each request, so that dispatchers can be replaced. */
export interface UndiciTarget {
  readonly origin: string;
  dispatcher(needsHttp1: boolean): Dispatcher;
  readonly active: Set<Destroyable>;
}

/**
 * A handler for undici. Always sends the origin's `host` header, and never `expect`. Rejects with
 * `RequestError`, or with the reason of the request's signal.
 */
export function createUndiciHandler(target: UndiciTarget): Handler {
  return (request) => {
    if (request.signal.aborted) return Promise.reject(request.signal.reason);
    const requestBody = undiciBody(request.body);
    const exchange = new UndiciExchange(request, {
      origin: target.origin,
      requestBody: requestBody instanceof RequestBodyStream ? requestBody : undefined,
      active: target.active,
    });
    const options = dispatchOptions(request, target, requestBody);
    target.dispatcher(needsHttp1(options)).dispatch(options, exchange);
    return exchange.response;
  };
}

type UndiciBody = RequestBodyStream | Uint8Array | null;

interface UndiciOptions extends Dispatcher.DispatchOptions {
  readonly headers: Record<string, string | string[]>;
  readonly body: UndiciBody;
}

function dispatchOptions(
  request: HttpRequest,
  { origin }: UndiciTarget,
  body: UndiciBody,
): UndiciOptions {
  const { method, path, query } = request;
  const upgrade = upgradeProtocol(request.headers);
  return {
    origin,
    method,
    path: query === "" ? path : `${path}?${query}`,
    headers: undiciHeaders(request),
    body,
    ...(upgrade !== undefined && { upgrade }),
    // undici would close the connection after a DELETE with a body, which is common in Kubernetes.
    ...(body !== null && { reset: false }),
  };
}

function undiciHeaders(request: HttpRequest): Record<string, string | string[]> {
  const headers = withoutHopByHop(request.headers);
  delete headers.host;
  delete headers.expect;
  const declared = headerValue(headers, "content-length");
  delete headers["content-length"];
  const length = bodyLength(request.body);
  // undici sets the length of bytes itself, and rejects a length without a body.
  if (length === undefined && declared !== undefined) headers["content-length"] = declared;
  else if (Array.isArray(request.body) && length) headers["content-length"] = `${length}`;
  return headers;
}

function undiciBody(body: Body): UndiciBody {
  if (typeof body === "function") return new RequestBodyStream(body);
  if (bodyLength(body) === 0 || body === undefined) return null;
  if (body instanceof Uint8Array) return body;
  return new RequestBodyStream((sink) => writeBody(body, sink));
}

/**
 * What undici cannot do over HTTP/2:
 * - switch to any protocol but websocket; and kube-apiserver switches over HTTP/1.1 only.
 * - send a header several times: it joins the values with commas, but Kubernetes takes each line of
 *   Impersonate-Group as one group.
 * - abort a request whose body is on its way: it closes the stream before it destroys it, which
 *   ends a half body as if it were whole, or has nghttp2 allocate memory until the process dies.
 */
function needsHttp1({ upgrade, headers, body }: UndiciOptions): boolean {
  return upgrade !== undefined || body !== null || Object.values(headers).some(Array.isArray);
}
