import { randomUUID } from "node:crypto";
import { type HttpHeaders, type HttpResponse, headerValue, type Interceptor } from "@rookery/http";
import { auditIdKey } from "../request/request-context.ts";

/** Visible ASCII, not too much of it: it goes into a header and into logs. */
const usable = /^[\x21-\x7e]{1,256}$/;

/** Names each request by its Audit-Id header, or a new one, and says so in the answer. */
export const withAuditId: Interceptor = (next) => async (request) => {
  const asked = headerValue(request.headers, "audit-id") ?? "";
  const auditId = usable.test(asked) ? asked : randomUUID();
  const context = request.context.with(auditIdKey, auditId);
  return withHeaders(await next({ ...request, context }), { "audit-id": auditId });
};

/** An answer with headers that it does not have yet. */
export function withHeaders(response: HttpResponse, headers: HttpHeaders): HttpResponse {
  return { ...response, headers: { ...headers, ...response.headers } };
}
