import { createWriteStream } from "node:fs";
import { dirname } from "node:path";
import { type Audit, type AuditEvent, userInfoObject } from "@rookery/apiserver";
import { formatMicroTime } from "@rookery/kube";
import { makeFolder } from "../store/make-folder.ts";
import { openPrivateFile } from "../store/private-files.ts";

/** A line for each request, in kube-apiserver's "Metadata" level. */
export function openAuditLog(file: string, onError: (error: unknown) => void) {
  makeFolder(dirname(file));
  const fd = openPrivateFile(file);
  const stream = createWriteStream(file, { fd }).on("error", onError);
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
    // Watches are logged when they start.
    stage: event.info.verb === "watch" ? "ResponseStarted" : "ResponseComplete",
    requestURI: event.requestUri,
    verb: event.info.verb,
    user: event.user ? userInfoObject(event.user) : {},
    ...(event.impersonatedUser && { impersonatedUser: userInfoObject(event.impersonatedUser) }),
    sourceIPs: [event.sourceAddress],
    userAgent: event.userAgent,
    ...(event.info.isResourceRequest && { objectRef: objectRefOf(event) }),
    responseStatus: { metadata: {}, code: event.status },
    requestReceivedTimestamp: formatMicroTime(event.received),
    stageTimestamp: formatMicroTime(event.answered),
    ...(Object.keys(event.annotations).length > 0 && { annotations: inOrder(event.annotations) }),
  };
}

function objectRefOf({ info, object = {} }: AuditEvent): object {
  const { resource, namespace, group, version, subresource } = info;
  const name = info.name || object.name;
  const { uid, resourceVersion } = object;
  return {
    resource,
    ...(namespace && { namespace }),
    ...(name && { name }),
    ...(uid && { uid }),
    ...(group && { apiGroup: group }),
    apiVersion: version,
    ...(resourceVersion && { resourceVersion }),
    ...(subresource && { subresource }),
  };
}

function inOrder(annotations: AuditEvent["annotations"]): object {
  return Object.fromEntries(Object.entries(annotations).sort(([a], [b]) => (a < b ? -1 : 1)));
}
