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
  /** Called with the numbers of passed and dropped objects. */
  readonly onObjects: (passed: number, dropped: number) => void;
}

const expired = 410;

/**
 * Filters a response; an internal error if it is unreadable. Later errors reset the stream. A
 * failed response is a Status and passes; only an expired page (410) has a token.
 */
export async function filterResponse(
  response: HttpResponse,
  { isWatch, keep, seal, onObjects }: FilterOptions,
): Promise<HttpResponse> {
  const { status, headers, body } = response;
  if (status >= 300 && status !== expired) return response;
  // The content-length after HEAD counts all objects.
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
