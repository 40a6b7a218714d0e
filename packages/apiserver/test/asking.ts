import {
  type ApiServer,
  type ApiServerOptions,
  createApiServer,
  type UserInfo,
} from "@rookery/apiserver";
import {
  Context,
  collectBody,
  createHttpClient,
  type Handler,
  type HttpHeaders,
  type HttpRequest,
} from "@rookery/http";
import { greetingGroup } from "./greetings.ts";

export const jane: UserInfo = { name: "jane", groups: ["developers", "system:authenticated"] };

export interface TestServer extends ApiServer {
  /** What was reported and not told to clients. */
  readonly errors: unknown[];
  ask(target: string, question?: Question): Promise<Answered>;
}

/** A server of greetings at which everyone is jane and may do everything, unless told otherwise. */
export function createTestServer(options: Partial<ApiServerOptions> = {}): TestServer {
  const errors: unknown[] = [];
  const server = createApiServer({
    groups: [greetingGroup()],
    authenticate: () => jane,
    authorize: () => ({ decision: "Allow" }),
    onError: (error) => errors.push(error),
    ...options,
  });
  return { ...server, errors, ask: (target, question) => ask(server.handler, target, question) };
}

export interface Question {
  readonly method?: string;
  /** An object is sent as JSON, text and bytes as they are. */
  readonly body?: unknown;
  readonly headers?: HttpHeaders;
  readonly context?: Context;
  readonly signal?: AbortSignal;
}

export interface Answered {
  readonly status: number;
  readonly headers: HttpHeaders;
  readonly text: string;
  /** Parsed where it is JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: what a path answers is known to the test alone
  readonly body: any;
}

/** Asks a handler without a socket. POST where there is a body, else GET. */
export async function ask(
  handler: Handler,
  target: string,
  question: Question = {},
): Promise<Answered> {
  const response = await handler(requestOf(target, question));
  const bytes = Buffer.from(await collectBody(response.body, { limit: 2 ** 26 }));
  const text = bytes.toString("utf8");
  const isJson = /^application\/json\b/.test(String(response.headers["content-type"]));
  const isPlain = response.headers["content-encoding"] === undefined;
  const body = isJson && isPlain && text !== "" ? JSON.parse(text) : text;
  return { status: response.status, headers: response.headers, text, body };
}

export function requestOf(target: string, question: Question = {}): HttpRequest {
  const [path = "", query = ""] = target.split("?");
  const { body, headers, context = Context.empty } = question;
  return {
    method: question.method ?? (body === undefined ? "GET" : "POST"),
    path,
    query,
    headers: { ...(body !== undefined && { "content-type": "application/json" }), ...headers },
    body: encode(body),
    signal: question.signal ?? new AbortController().signal,
    context,
  };
}

function encode(body: unknown): Uint8Array | undefined {
  if (body === undefined || body instanceof Uint8Array) return body;
  return Buffer.from(typeof body === "string" ? body : JSON.stringify(body), "utf8");
}

export interface Target {
  readonly origin: string;
  readonly ca: string;
  readonly as?: { readonly certificate: string; readonly key: string };
}

/** Asks a server by a connection of its own. */
export async function askOver(
  target: Target,
  path: string,
  question: Question = {},
): Promise<Answered> {
  const { origin, ca, as } = target;
  const tls = { ca, ...(as && { cert: as.certificate, key: as.key }) };
  await using client = createHttpClient({ origin, tls });
  return await ask(client.handler, path, question);
}
