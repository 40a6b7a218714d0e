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

/** What an audit log is told of a request when it is answered. */
export interface AuditEvent {
  readonly auditId: string;
  readonly method: string;
  /** The path and the query, as on the wire. */
  readonly requestUri: string;
  readonly info: RequestInfo;
  /** undefined where nobody could be authenticated. */
  readonly user: UserInfo | undefined;
  /** Whom the user acts as. */
  readonly impersonatedUser: UserInfo | undefined;
  /** Of the object in the body, where there is one and it could be read. */
  readonly object: AuditedObject | undefined;
  /** What those who were asked on the way have said of it. */
  readonly annotations: Readonly<Record<string, string>>;
  readonly sourceAddress: string;
  readonly userAgent: string;
  /** The HTTP status; 0 where none was sent. */
  readonly status: number;
  readonly received: Date;
  readonly answered: Date;
}

export type Audit = (event: AuditEvent) => void;

type AuditedObject = Pick<ObjectMeta, "name" | "uid" | "resourceVersion">;

/** Filled on the way through the pipeline. */
export interface AuditRecord {
  user?: UserInfo;
  impersonatedUser?: UserInfo;
  object?: AuditedObject;
  readonly annotations: Record<string, string>;
}

/** Adds to what is told of a request; what was said first stays. */
export type Annotate = (key: string, value: string) => void;

export const auditRecordKey = contextKey<AuditRecord>("audit record");

const toNobody: Annotate = () => {};

/** For who has something to say of a request. It does nothing where nobody hears of it. */
export function annotateOf({ context }: Pick<HttpRequest, "context">): Annotate {
  const annotations = context.get(auditRecordKey)?.annotations;
  if (!annotations) return toNobody;
  return (key, value) => {
    annotations[key] ??= value;
  };
}

/** Tells of what is in the body. */
export function auditObject(
  { context }: Pick<HttpRequest, "context">,
  { metadata }: KubeObject,
): void {
  const record = context.get(auditRecordKey);
  if (record) record.object = metadata;
}

/** Tells of every request, refused ones too. Answers that are streams are told of when they begin. */
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
