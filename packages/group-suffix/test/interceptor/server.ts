import {
  type Body,
  Context,
  collectBody,
  type HttpHeaders,
  type HttpRequest,
  type HttpResponse,
  type Interceptor,
} from "@rookery/http";

/** What a server in a test was asked. */
export interface Received {
  readonly request: HttpRequest;
  readonly body: string;
}

/** An answer, with JSON as its type where nothing else is said. */
export function answer(
  body: Body | string | object,
  headers: HttpHeaders = {},
  status = 200,
): HttpResponse {
  const isBody = typeof body === "function" || body instanceof Uint8Array || Array.isArray(body);
  const bytes = isBody
    ? (body as Body)
    : Buffer.from(typeof body === "string" ? body : JSON.stringify(body));
  return { status, headers: { "content-type": "application/json", ...headers }, body: bytes };
}

export interface Ask {
  readonly method?: string;
  readonly path: string;
  readonly query?: string;
  readonly headers?: HttpHeaders;
  readonly body?: Body | string | object;
}

/** Asks a server that is behind an interceptor, and reads what comes back. */
export async function ask(
  interceptor: Interceptor | undefined,
  { method = "GET", path, query = "", headers = {}, body }: Ask,
  respond: (received: Received) => HttpResponse = () => answer("{}"),
) {
  const received: Received[] = [];
  const handler = interceptor?.(async (request) => {
    const bytes = await collectBody(request.body, { limit: 1e9 });
    received.push({ request, body: Buffer.from(bytes).toString() });
    return respond({ request, body: Buffer.from(bytes).toString() });
  });
  if (handler === undefined) throw new Error("there is no interceptor");
  const request: HttpRequest = {
    method,
    path,
    query,
    headers: body === undefined ? headers : { "content-type": "application/json", ...headers },
    body: bodyOf(body),
    signal: new AbortController().signal,
    context: Context.empty,
  };
  const response = await handler(request);
  const bytes = await collectBody(response.body, { limit: 1e9 });
  return { response, text: Buffer.from(bytes).toString(), received };
}

function bodyOf(body: Ask["body"]): Body {
  if (body === undefined || typeof body === "function" || body instanceof Uint8Array)
    return body as Body;
  if (Array.isArray(body) && body.every((part) => part instanceof Uint8Array)) return body;
  return Buffer.from(typeof body === "string" ? body : JSON.stringify(body));
}
