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
  object: undefined,
  annotations: {},
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

it("what is created is named, and annotations stand in order", () => {
  const line = auditLine({
    ...event,
    info: { ...event.info, verb: "create", group: "apps" },
    object: { name: "web", uid: "u", resourceVersion: "7" },
    annotations: { "b.example/x": "2", "a.example/x": "1" },
  }) as { objectRef?: object; annotations?: object };
  assert.deepEqual(line.objectRef, {
    resource: "pods",
    namespace: "nest",
    name: "web",
    uid: "u",
    apiGroup: "apps",
    apiVersion: "v1",
    resourceVersion: "7",
  });
  assert.deepEqual(Object.keys(line.annotations ?? {}), ["a.example/x", "b.example/x"]);
});
