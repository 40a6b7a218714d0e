import { defineError } from "@rookery/errors";
import {
  BodyTooLargeError,
  collectBody,
  type HttpRequest,
  type HttpResponse,
  headerValue,
} from "@rookery/http";
import { isRecord } from "@rookery/kube";
import { textResponse } from "../http-server/handlers.ts";

/** The expected format of a review. */
export interface ReviewFormat {
  readonly apiVersion: string;
  readonly kind: string;
  /** The limit of the body, in bytes. */
  readonly limit: number;
}

/** A request that is no review. The response is for the log of the API server. */
export class ReviewError extends defineError("Review", (httpStatus: number, message: string) => ({
  message,
  httpStatus,
})) {
  get response(): HttpResponse {
    const { headers, ...rest } = textResponse(this.httpStatus, `${this.message}\n`);
    const allow = this.httpStatus === 405 && { allow: "POST" };
    return { ...rest, headers: { ...headers, ...allow } };
  }
}

/** The `request` of a review, with its uid. Errors: ReviewError. */
export async function readReview(
  request: HttpRequest,
  format: ReviewFormat,
): Promise<Readonly<Record<string, unknown>> & { readonly uid: string }> {
  if (request.method !== "POST") throw new ReviewError(405, `expected POST, got ${request.method}`);
  const contentType = headerValue(request.headers, "content-type") ?? "";
  if (!/^application\/json *(;|$)/i.test(contentType)) {
    throw new ReviewError(415, `contentType=${contentType}, expected application/json`);
  }
  const review = parse(await readBody(request, format.limit));
  const { apiVersion, kind } = format;
  if (review.apiVersion !== apiVersion || review.kind !== kind) {
    const got = `${String(review.apiVersion)} ${String(review.kind)}`;
    throw new ReviewError(400, `expected ${apiVersion} ${kind}, got ${got}`);
  }
  const inner = review.request;
  if (!isRecord(inner)) throw new ReviewError(400, "the review has no request");
  const { uid } = inner;
  if (typeof uid !== "string" || uid === "") throw new ReviewError(400, "the request has no uid");
  return { ...inner, uid };
}

async function readBody({ body }: HttpRequest, limit: number): Promise<Uint8Array> {
  try {
    return await collectBody(body, { limit });
  } catch (error) {
    if (!(error instanceof BodyTooLargeError)) throw error;
    throw new ReviewError(413, `request entity is too large; limit is ${limit} bytes`);
  }
}

function parse(bytes: Uint8Array): Readonly<Record<string, unknown>> {
  if (bytes.length === 0) throw new ReviewError(400, "request body is empty");
  let review: unknown;
  try {
    review = JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("utf8"));
  } catch {
    throw new ReviewError(400, "the body is not JSON");
  }
  if (isRecord(review)) return review;
  throw new ReviewError(400, "the body is not a JSON object");
}

export function jsonResponse(value: unknown): HttpResponse {
  const headers = { "content-type": "application/json" };
  return { status: 200, headers, body: Buffer.from(JSON.stringify(value)) };
}
