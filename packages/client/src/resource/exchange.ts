import {
  Context,
  collectBody,
  type Handler,
  type HttpRequest,
  type HttpResponse,
  headerValue,
} from "@rookery/http";
import { type GroupResource, type StatusError, statusErrorFromResponse } from "@rookery/kube";
import { UnexpectedAnswerError } from "../errors.ts";
import { isListKey } from "../transport/limit-answers.ts";
import { retryAfterSeconds } from "../transport/retry.ts";
import { requestTimeoutKey } from "../transport/timeout.ts";

/** A request before serialization. */
export interface Question {
  readonly method: string;
  readonly path: string;
  readonly query?: string;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Of the body; JSON by default. */
  readonly contentType?: string;
  readonly accept?: string;
  readonly headers?: HttpRequest["headers"];
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs?: number | undefined;
  /** Lists may be longer than other responses. */
  readonly isList?: boolean;
  /** For errors of responses that do not name it. */
  readonly resource?: GroupResource;
  readonly name?: string | undefined;
}

/** The maximum length of a JavaScript string. */
const answerLimit = 500 * 1024 * 1024;
const failureLimit = 3 * 1024 * 1024;

/** Resolves to a successful response; rejects with StatusError otherwise. */
export async function ask(handler: Handler, question: Question): Promise<HttpResponse> {
  return successOf(await handler(requestOf(question)), question);
}

export async function askJson<T>(handler: Handler, question: Question): Promise<T> {
  return parseAnswer<T>(await ask(handler, question), question);
}

export async function parseAnswer<T>(response: HttpResponse, question: Question): Promise<T> {
  const bytes = await collectBody(response.body, { limit: answerLimit });
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8");
  return parseText(text, response, question);
}

/** Parses a response or a part of it. Throws UnexpectedAnswerError for invalid JSON. */
export function parseText<T>(
  text: string,
  { headers }: Pick<HttpResponse, "headers">,
  question: Question,
): T {
  try {
    return JSON.parse(text) as T;
  } catch {
    const type = headerValue(headers, "content-type") ?? "no content type";
    const reason = `the answer is not JSON (${type}); is there a proxy or a login page between?`;
    throw new UnexpectedAnswerError(question, reason);
  }
}

/** Rejects with the StatusError of a failed response. */
export async function successOf(response: HttpResponse, question: Question): Promise<HttpResponse> {
  if (response.status >= 200 && response.status < 300) return response;
  throw await failureOf(response, question);
}

export function requestOf(question: Question): HttpRequest {
  const { method, path, query = "", body, accept = "application/json" } = question;
  const { contentType = "application/json", signal = new AbortController().signal } = question;
  const bytes = body === undefined ? undefined : Buffer.from(JSON.stringify(body), "utf8");
  return {
    method,
    path,
    query,
    headers: { accept, ...(bytes && { "content-type": contentType }), ...question.headers },
    body: bytes,
    signal,
    context: contextOf(question),
  };
}

function contextOf({ timeoutMs, isList }: Question): Context {
  const context = isList ? Context.empty.with(isListKey, true) : Context.empty;
  return timeoutMs === undefined ? context : context.with(requestTimeoutKey, timeoutMs);
}

async function failureOf(response: HttpResponse, question: Question): Promise<StatusError> {
  const { method, resource, name } = question;
  const contentType = headerValue(response.headers, "content-type");
  const retryAfter = retryAfterSeconds(response);
  return statusErrorFromResponse({
    httpStatus: response.status,
    body: await collectBody(response.body, { limit: failureLimit }),
    method,
    ...(contentType !== undefined && { contentType }),
    ...(resource && { resource }),
    ...(name !== undefined && { name }),
    ...(retryAfter !== undefined && { retryAfterSeconds: retryAfter }),
  });
}
