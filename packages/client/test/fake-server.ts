import {
  Context,
  collectBody,
  type Handler,
  type HttpHeaders,
  type HttpRequest,
  type HttpResponse,
} from "@rookery/http";

/** A request as a test wants to look at it. */
export interface SeenRequest {
  readonly method: string;
  /** With its query. */
  readonly target: string;
  readonly headers: HttpHeaders;
  readonly body: unknown;
}

export type Answer =
  | HttpResponse
  | Error
  | ((request: HttpRequest) => HttpResponse | Promise<HttpResponse>);

/** Answers requests one after another as it was told, then goes on with the last answer. */
export class FakeServer {
  readonly seen: SeenRequest[] = [];
  readonly #answers: Answer[];

  constructor(...answers: Answer[]) {
    this.#answers = answers;
  }

  readonly handler: Handler = async (request) => {
    this.seen.push(await seenOf(request));
    const answer = this.#answers.length > 1 ? this.#answers.shift() : this.#answers[0];
    if (answer instanceof Error) throw answer;
    if (typeof answer === "function") return answer(request);
    return answer ?? json({});
  };

  get targets(): readonly string[] {
    return this.seen.map(({ method, target }) => `${method} ${target}`);
  }

  /** The only request, or the last one. */
  get last(): SeenRequest {
    const last = this.seen.at(-1);
    if (last === undefined) throw new Error("nobody asked");
    return last;
  }
}

async function seenOf({ method, path, query, headers, body }: HttpRequest): Promise<SeenRequest> {
  const bytes = await collectBody(body, { limit: 1 << 20 });
  const text = Buffer.from(bytes).toString();
  return {
    method,
    target: query === "" ? path : `${path}?${decodeURIComponent(query)}`,
    headers,
    body: text === "" ? undefined : JSON.parse(text),
  };
}

export function json(body: unknown, parts: Partial<HttpResponse> = {}): HttpResponse {
  return {
    status: 200,
    ...parts,
    headers: { "content-type": "application/json", ...parts.headers },
    body: Buffer.from(JSON.stringify(body)),
  };
}

/** A Status of failure as the API server sends it. */
export function failure(
  code: number,
  reason: string,
  parts: Partial<HttpResponse> = {},
): HttpResponse {
  const status = { kind: "Status", apiVersion: "v1", metadata: {}, status: "Failure" };
  return json({ ...status, reason, code, message: `it is ${reason}` }, { ...parts, status: code });
}

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
