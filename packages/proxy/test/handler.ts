import {
  Context,
  collectBody,
  type Handler,
  type HttpRequest,
  type HttpResponse,
  type Sink,
} from "@rookery/http";

/** A request with all that a test does not care about. */
export function request(parts: Partial<HttpRequest> = {}): HttpRequest {
  return {
    method: "GET",
    path: "/api/v1/pods",
    query: "",
    headers: {},
    signal: new AbortController().signal,
    context: Context.empty,
    ...parts,
  };
}

/** A handler that keeps what it was asked, and answers what it was told. */
export function recording(
  response: HttpResponse = { status: 200, headers: {} },
): Handler & { readonly seen: HttpRequest[] } {
  const seen: HttpRequest[] = [];
  const handler: Handler = (asked) => {
    seen.push(asked);
    return response;
  };
  return Object.assign(handler, { seen });
}

/** The body as JSON. */
export async function jsonOf({ body }: HttpResponse): Promise<Record<string, unknown>> {
  return JSON.parse(Buffer.from(await collectBody(body, { limit: 1 << 20 })).toString());
}

/** A sink that keeps what it is given; `leave` makes it go away. */
export function createTestSink(): Sink & { readonly text: string; leave(reason: Error): void } {
  const controller = new AbortController();
  const chunks: Uint8Array[] = [];
  return {
    signal: controller.signal,
    write(chunk) {
      chunks.push(chunk);
      return true;
    },
    drained: async () => controller.signal.throwIfAborted(),
    get text() {
      return Buffer.concat(chunks).toString();
    },
    leave: (reason) => controller.abort(reason),
  };
}
