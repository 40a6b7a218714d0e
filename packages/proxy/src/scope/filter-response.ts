import {
  createItemFilter,
  type ItemFilter,
  type KeepNamespace,
  type RenameStream,
  renamedBody,
  type SealToken,
} from "@rookery/group-suffix";
import { bodyLength, discardBody, type HttpResponse, headerValue } from "@rookery/http";
import { internalError } from "@rookery/kube";
import { UnfilterableAnswerError } from "../errors.ts";
import { statusResponse } from "../status-response.ts";

export interface FilterOptions {
  readonly isWatch: boolean;
  readonly keep: KeepNamespace;
  readonly seal: SealToken;
  /** Hears of objects as they pass or not. */
  readonly onObjects: (passed: number, dropped: number) => void;
}

const expired = 410;

/**
 * The answer without the objects that are not kept; an internal error where it cannot be read. What
 * turns out bad later ends it with a reset. What is no success is a Status, and passes; one that says
 * that a page has expired has a token with which to go on.
 */
export async function filterResponse(
  response: HttpResponse,
  { isWatch, keep, seal, onObjects }: FilterOptions,
): Promise<HttpResponse> {
  const { status, headers, body } = response;
  if (status >= 300 && status !== expired) return response;
  // The length of an answer to HEAD is that of all objects.
  const { "content-length": _, ...kept } = headers;
  if (bodyLength(body) === 0) return { ...response, headers: kept };
  const contentType = headerValue(headers, "content-type");
  const packed = headerValue(headers, "content-encoding") ?? "identity";
  const filter =
    packed === "identity"
      ? createItemFilter({ contentType, isWatch: isWatch && status < 300, keep, seal })
      : undefined;
  if (filter === undefined) {
    await discardBody(body, { limit: 0 });
    return statusResponse(internalError(new UnfilterableAnswerError(contentType, packed)));
  }
  return { ...response, headers: kept, body: renamedBody(body, counted(filter, onObjects)) };
}

function counted(filter: ItemFilter, onObjects: FilterOptions["onObjects"]): RenameStream {
  let passed = 0;
  let dropped = 0;
  return {
    push(chunk) {
      const parts = filter.push(chunk);
      onObjects(filter.passed - passed, filter.dropped - dropped);
      passed = filter.passed;
      dropped = filter.dropped;
      return parts;
    },
    end: () => filter.end(),
  };
}
