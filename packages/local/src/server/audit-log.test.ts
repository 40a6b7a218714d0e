import assert from "node:assert/strict";
import { it } from "node:test";
import type { AuditEvent } from "@rookery/apiserver";
import { auditLine } from "./audit-log.ts";

const event: AuditEvent = {
  auditId: "one",
  method: "GET",
  requestUri: "/api/v1/namespaces/nest/pods?limit=5",
  info: {
    verb: "list",
    path: "/api/v1/namespaces/nest/pods",
    isResourceRequest: true,
    apiPrefix: "api",
    group: "",
    version: "v1",
    resource: "pods",
    subresource: "",
    namespace: "nest",
    name: "",
    parts: ["pods"],
    fieldSelector: "",
    labelSelector: "",
  },
  user: { name: "jane", groups: ["system:authenticated"] },
  impersonatedUser: undefined,
  sourceAddress: "127.0.0.1",
  userAgent: "tester",
  status: 200,
  received: new Date("2026-01-01T00:00:00.001Z"),
  answered: new Date("2026-01-01T00:00:00.002Z"),
};

it("a line of the audit log is what kube-apiserver writes at the level Metadata", () => {
  assert.deepEqual(auditLine(event), {
    kind: "Event",
    apiVersion: "audit.k8s.io/v1",
    level: "Metadata",
    auditID: "one",
    stage: "ResponseComplete",
    requestURI: "/api/v1/namespaces/nest/pods?limit=5",
    verb: "list",
    user: { username: "jane", groups: ["system:authenticated"] },
    sourceIPs: ["127.0.0.1"],
    userAgent: "tester",
    objectRef: { resource: "pods", namespace: "nest", apiVersion: "v1" },
    responseStatus: { metadata: {}, code: 200 },
    requestReceivedTimestamp: "2026-01-01T00:00:00.001000Z",
    stageTimestamp: "2026-01-01T00:00:00.002000Z",
  });
});

it("a watch is told of as begun", () => {
  const line = auditLine({ ...event, info: { ...event.info, verb: "watch" } });
  assert.equal((line as { stage?: string }).stage, "ResponseStarted");
});
