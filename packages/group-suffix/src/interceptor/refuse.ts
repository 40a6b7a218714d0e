import { discardBody, type HttpRequest, type HttpResponse } from "@rookery/http";
import { findStatusError } from "@rookery/kube";
import { statusResponse } from "./status-response.ts";

/** Answers with the Status of an error, and gets rid of the body; throws an error that has none. */
export async function refuse(request: HttpRequest, error: unknown): Promise<HttpResponse> {
  await discardBody(request.body);
  if (findStatusError(error) === undefined) throw error;
  return statusResponse(error);
}
