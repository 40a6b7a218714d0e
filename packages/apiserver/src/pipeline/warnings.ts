import type { Interceptor } from "@rookery/http";
import { warningsKey } from "../request/request-context.ts";
import { Warnings } from "../request/warnings.ts";
import { withHeaders } from "./audit-id.ts";

/** Sends what handlers warn of. */
export const withWarnings: Interceptor = (next) => async (request) => {
  const warnings = new Warnings();
  const response = await next({ ...request, context: request.context.with(warningsKey, warnings) });
  const warning = warnings.headers();
  return warning.length === 0 ? response : withHeaders(response, { warning });
};
