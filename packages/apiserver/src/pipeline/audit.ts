import { randomUUID } from "node:crypto";
import {
  contextKey,
  type HttpHeaders,
  type HttpRequest,
  type HttpResponse,
  headerValue,
  type Interceptor,
  peerKey,
} from "@rookery/http";
import type { Clock, KubeObject, ObjectMeta, RequestInfo } from "@rookery/kube";
import { auditIdKey, requestInfoOf } from "../request/request-context.ts";
import type { UserInfo } from "../request/user.ts";

/** Limits IDs to short visible ASCII, since they are sent and logged. */
const usable = /^[\x21-\x7e]{1,256}$/;

/** Identifies each request by its Audit-Id header or a new ID, which the response repeats. */
export const withAuditId: Interceptor = (next) => async (request) => {
  const requested = headerValue(request.headers, "audit-id") ?? "";
  const auditId = usable.test(requested) ? requested : randomUUID();
  const context = request.context.with(auditIdKey, auditId);
  return withHeaders(await next({ ...request, context }), { "audit-id": auditId });
};

/** Adds missing headers to a response. */
export function withHeaders(response: HttpResponse, headers: HttpHeaders): HttpResponse {
  return { ...response, headers: { ...headers, ...response.headers } };
}

/** The audit record of an answered request. */
export interface AuditEvent {
  readonly auditId: string;
  readonly method: string;
  /** The path and the query, as on the wire. */
  readonly requestUri: string;
  readonly info: RequestInfo;
  /** Undefined if authentication failed. */
  readonly user: UserInfo | undefined;
  readonly impersonatedUser: UserInfo | undefined;
  /** Metadata of the request body, if readable. */
  readonly object: AuditedObject | undefined;
  /** Annotations from authorization and admission. */
  readonly annotations: Readonly<Record<string, string>>;
  readonly sourceAddress: string;
  readonly userAgent: string;
  /** The HTTP status; 0 if none was sent. */
  readonly status: number;
  readonly received: Date;
  readonly answered: Date;
}

export type Audit = (event: AuditEvent) => void;

type AuditedObject = Pick<ObjectMeta, "name" | "uid" | "resourceVersion">;

/** Filled while the request passes the pipeline. */
export interface AuditRecord {
  user?: UserInfo;
  impersonatedUser?: UserInfo;
  object?: AuditedObject;
  readonly annotations: Record<string, string>;
}

/** Adds an annotation; the first value of a key stays. */
export type Annotate = (key: string, value: string) => void;

export const auditRecordKey = contextKey<AuditRecord>("audit record");

const toNobody: Annotate = () => {};

/** Annotates the audit event; does nothing without an audit log. */
export function annotateOf({ context }: Pick<HttpRequest, "context">): Annotate {
  const annotations = context.get(auditRecordKey)?.annotations;
  if (!annotations) return toNobody;
  return (key, value) => {
    annotations[key] ??= value;
  };
}

/** Records the object in the request body. */
export function auditObject(
  { context }: Pick<HttpRequest, "context">,
  { metadata }: KubeObject,
): void {
  const record = context.get(auditRecordKey);
  if (record) record.object = metadata;
}

/** Audits every request, including rejected ones. Streams are audited when they start. */
export function withAudit(audit: Audit, now: Clock): Interceptor {
  return (next) => async (request) => {
    const received = now();
    const record: AuditRecord = { annotations: {} };
    const context = request.context.with(auditRecordKey, record);
    let response: HttpResponse | undefined;
    try {
      response = await next({ ...request, context });
      return response;
    } finally {
      const at = { received, answered: now(), status: response?.status ?? 0 };
      audit({
        ...describe(request),
        ...at,
        user: record.user,
        impersonatedUser: record.impersonatedUser,
        object: record.object,
        annotations: record.annotations,
      });
    }
  };
}

function describe(request: HttpRequest) {
  return {
    auditId: request.context.get(auditIdKey) ?? "",
    method: request.method,
    requestUri: request.query === "" ? request.path : `${request.path}?${request.query}`,
    info: requestInfoOf(request),
    sourceAddress: request.context.get(peerKey)?.address ?? "",
    userAgent: headerValue(request.headers, "user-agent") ?? "",
  };
}
