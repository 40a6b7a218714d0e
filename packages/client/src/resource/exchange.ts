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

/** What is asked, before it is written for the wire. */
export interface Question {
  readonly method: string;
  readonly path: string;
  readonly query?: string;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Of the body; JSON where absent. */
  readonly contentType?: string;
  readonly accept?: string;
  readonly headers?: HttpRequest["headers"];
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs?: number | undefined;
  /** Whether the answer is a list, which may be longer than others. */
  readonly isList?: boolean;
  /** What it is about, for the error of an answer that does not say so. */
  readonly resource?: GroupResource;
  readonly name?: string | undefined;
}

/** A JavaScript string cannot be longer. */
const answerLimit = 500 * 1024 * 1024;
const failureLimit = 3 * 1024 * 1024;

/** Sends a question; resolves to a response of success and rejects with StatusError otherwise. */
export async function ask(handler: Handler, question: Question): Promise<HttpResponse> {
  return successOf(await handler(requestOf(question)), question);
}

/** Sends a question and parses the answer. */
export async function askJson<T>(handler: Handler, question: Question): Promise<T> {
  return parseAnswer<T>(await ask(handler, question), question);
}

export async function parseAnswer<T>(response: HttpResponse, question: Question): Promise<T> {
  const bytes = await collectBody(response.body, { limit: answerLimit });
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8");
  return parseText(text, response, question);
}

/** Parses an answer, or a piece of it. Throws UnexpectedAnswerError where it is no JSON. */
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

/** The response itself where it is a success; rejects with its StatusError otherwise. */
export async function successOf(response: HttpResponse, question: Question): Promise<HttpResponse> {
  if (response.status >= 200 && response.status < 300) return response;
  throw await failureOf(response, question);
}

/** Writes a question for the wire. */
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
