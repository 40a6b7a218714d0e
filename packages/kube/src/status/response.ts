import { messageOf } from "@rookery/errors";
import { quote } from "../go/quote.ts";
import { isRecord } from "../object/deep.ts";
import { formatGroupResource, type GroupResource } from "../resource/group-version.ts";
import { findStatusError } from "./predicates.ts";
import { type Status, StatusError, type StatusReason, statusError } from "./status.ts";

/** A failed response and its request. */
export interface FailedResponse {
  readonly httpStatus: number;
  readonly body: Uint8Array;
  /** "" or absent means text. */
  readonly contentType?: string;
  /** Such as "GET". */
  readonly method: string;
  readonly resource?: GroupResource;
  readonly name?: string;
  /** From the Retry-After header. */
  readonly retryAfterSeconds?: number;
}

/** The meaning of a bare HTTP status; `undefined` shows the server's own message. */
const meanings: ReadonlyMap<number, readonly [StatusReason, string | undefined]> = new Map([
  [400, ["BadRequest", "the server rejected our request for an unknown reason"]],
  [401, ["Unauthorized", "the server has asked for the client to provide credentials"]],
  [403, ["Forbidden", undefined]],
  [404, ["NotFound", "the server could not find the requested resource"]],
  [405, ["MethodNotAllowed", "the server does not allow this method on the requested resource"]],
  [406, ["NotAcceptable", undefined]],
  [409, ["Conflict", "the server reported a conflict"]],
  [415, ["UnsupportedMediaType", undefined]],
  [422, ["Invalid", "the server rejected our request due to an error in our request"]],
  [
    429,
    [
      "TooManyRequests",
      "the server has received too many requests and has asked us to try again later",
    ],
  ],
  [503, ["ServiceUnavailable", "the server is currently unable to handle the request"]],
  [
    504,
    [
      "Timeout",
      "the server was unable to return a response in the time allotted, but may still be processing the request",
    ],
  ],
]);

const maxTextBytes = 2048;

/**
 * The error of a failed response: the Status of the body, else one for the HTTP status, with the
 * body as the message of an "UnexpectedServerResponse" cause.
 */
export function statusErrorFromResponse(response: FailedResponse): StatusError {
  const status = parseStatus(response);
  return status === undefined ? genericError(response) : new StatusError(status);
}

function parseStatus({ body, contentType = "", httpStatus }: FailedResponse): Status | undefined {
  if (contentType !== "" && !/^application\/(?:[^;]*\+)?json\b/i.test(contentType))
    return undefined;
  const value = parseJson(body);
  if (!isRecord(value) || value.kind !== "Status" || value.status !== "Failure") return undefined;
  const { apiVersion = "v1" } = value;
  if (apiVersion !== "v1" && apiVersion !== "meta.k8s.io/v1") return undefined;
  return { ...(value as unknown as Status), code: Number(value.code) || httpStatus };
}

function parseJson(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(body));
  } catch {
    return undefined;
  }
}

function genericError(response: FailedResponse): StatusError {
  const { httpStatus, method, resource = { group: "", resource: "" }, name = "" } = response;
  const text = textOf(response);
  const [reason, meaning] = meaningOf(httpStatus, method, text);
  const known = resource.group !== "" || resource.resource !== "";
  const subject = [method.toLowerCase(), formatGroupResource(resource), ...(name ? [name] : [])];
  return statusError({
    code: httpStatus,
    reason,
    message: known ? `${meaning} (${subject.join(" ")})` : meaning,
    details: {
      group: resource.group,
      kind: resource.resource,
      name,
      causes: [{ reason: "UnexpectedServerResponse", ...(text !== "" && { message: text }) }],
      retryAfterSeconds: response.retryAfterSeconds ?? 0,
    },
  });
}

function textOf({ body, contentType = "" }: FailedResponse): string {
  if (contentType !== "" && !/^text\//i.test(contentType)) return "unknown";
  return new TextDecoder().decode(body.subarray(0, maxTextBytes)).trim();
}

function meaningOf(httpStatus: number, method: string, text: string): [StatusReason, string] {
  if (httpStatus === 409 && method === "POST") {
    return ["AlreadyExists", "the server reported a conflict"];
  }
  if (httpStatus === 406 && (text === "" || text === "unknown")) {
    const message = "the server was unable to respond with a content type that the client supports";
    return ["NotAcceptable", message];
  }
  const [reason, message] = meanings.get(httpStatus) ?? unknownMeaning(httpStatus, text);
  return [reason, message ?? text];
}

function unknownMeaning(httpStatus: number, text: string): [StatusReason, string] {
  return httpStatus >= 500
    ? [
        "InternalError",
        `an error on the server (${quote(text)}) has prevented the request from succeeding`,
      ]
    : [
        "",
        `the server responded with the status code ${httpStatus} but did not return more information`,
      ];
}

/** The Status of an error; a 500 with the message of other errors. */
export function statusOf(error: unknown): Status {
  const found = findStatusError(error);
  if (found !== undefined) return { ...found.status, code: found.httpStatus || 500 };
  const message = messageOf(error);
  return statusError({ code: 500, reason: "", message }).status;
}
