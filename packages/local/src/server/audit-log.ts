import { createWriteStream } from "node:fs";
import { dirname } from "node:path";
import type { Audit, AuditEvent, UserInfo } from "@rookery/apiserver";
import { formatMicroTime } from "@rookery/kube";
import { makeFolder } from "../store/make-folder.ts";

/** A line for each request, as kube-apiserver writes them at the level "Metadata". */
export function openAuditLog(file: string, onError: (error: unknown) => void) {
  makeFolder(dirname(file));
  const stream = createWriteStream(file, { flags: "a", mode: 0o600 }).on("error", onError);
  const audit: Audit = (event) => stream.write(`${JSON.stringify(auditLine(event))}\n`);
  return {
    audit,
    [Symbol.asyncDispose]: () => new Promise<void>((resolve) => stream.end(resolve)),
  };
}

export function auditLine(event: AuditEvent): object {
  return {
    kind: "Event",
    apiVersion: "audit.k8s.io/v1",
    level: "Metadata",
    auditID: event.auditId,
    // An answer that goes on is told of when it begins.
    stage: event.info.verb === "watch" ? "ResponseStarted" : "ResponseComplete",
    requestURI: event.requestUri,
    verb: event.info.verb,
    user: event.user ? userOf(event.user) : {},
    ...(event.impersonatedUser && { impersonatedUser: userOf(event.impersonatedUser) }),
    sourceIPs: [event.sourceAddress],
    userAgent: event.userAgent,
    ...(event.info.isResourceRequest && { objectRef: objectRefOf(event.info) }),
    responseStatus: { metadata: {}, code: event.status },
    requestReceivedTimestamp: formatMicroTime(event.received),
    stageTimestamp: formatMicroTime(event.answered),
  };
}

function userOf({ name, uid, groups, extra }: UserInfo): object {
  return { username: name, ...(uid && { uid }), groups, ...(extra && { extra }) };
}

function objectRefOf(info: AuditEvent["info"]): object {
  const { resource, namespace, name, group, version, subresource } = info;
  return {
    resource,
    ...(namespace && { namespace }),
    ...(name && { name }),
    ...(group && { apiGroup: group }),
    apiVersion: version,
    ...(subresource && { subresource }),
  };
}
