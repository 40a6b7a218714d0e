import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { inject, pod, virtual } from "../../test/inject/inject.ts";

const admission = "admissionregistration.k8s.io/v1";
const rbac = "rbac.authorization.k8s.io/v1";
const service = `{apiVersion: v1, kind: Service, metadata: {name: s, namespace: app-system}, spec: {selector: {app: app}, ports: [{port: 443, targetPort: 9443}]}}`;
const webhook = (clientConfig: string, extra = "") =>
  `{apiVersion: ${admission}, kind: ValidatingWebhookConfiguration, metadata: {name: w}, webhooks: [{name: a.b.c, clientConfig: {${clientConfig}}${extra}}]}`;

const cases: Record<string, { texts: readonly string[]; warnings: readonly string[] }> = {
  "a CRD whose CEL names the virtual group": {
    texts: [
      `{apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, metadata: {name: a.${virtual}}, spec: {group: ${virtual}, versions: [{schema: {x-kubernetes-validations: [{rule: "self.group == '${virtual}'"}]}}]}}`,
    ],
    warnings: [
      `CustomResourceDefinition a.${virtual}: the expression "self.group == '${virtual}'" names ${virtual} and stays as it is`,
    ],
  },
  "a policy whose CEL names the virtual group": {
    texts: [
      `{apiVersion: ${admission}, kind: ValidatingAdmissionPolicy, metadata: {name: p}, spec: {validations: [{expression: "request.kind.group != '${virtual}'"}, {expression: "object.spec.group != '${virtual}'"}]}}`,
    ],
    warnings: [
      `ValidatingAdmissionPolicy p: the expression "object.spec.group != '${virtual}'" names ${virtual} and stays as it is`,
    ],
  },
  "a webhook that is called by its URL": {
    texts: [webhook("url: 'https://127.0.0.1:9443/x'")],
    warnings: [
      "ValidatingWebhookConfiguration w: it calls https://127.0.0.1:9443/x, which has to be the callback listener of a proxy",
    ],
  },
  "a webhook that is called for kinds of others": {
    texts: [webhook("", `, rules: [{apiGroups: ["", ${virtual}], resources: [pods]}]`)],
    warnings: [
      "ValidatingWebhookConfiguration w: it is called for kinds of the core group, in each instance for all of them",
    ],
  },
  "a CRD of no mapped group": {
    texts: [
      `{apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, metadata: {name: a.x.io}, spec: {group: x.io}}`,
    ],
    warnings: [
      "CustomResourceDefinition a.x.io: no mapping has its group x.io, so that all instances share it",
    ],
  },
  "an app that serves an API by itself": {
    texts: [
      `{apiVersion: apiregistration.k8s.io/v1, kind: APIService, metadata: {name: v1.${virtual}}, spec: {group: ${virtual}, service: {name: a, namespace: b}}}`,
    ],
    warnings: [
      `APIService v1.${virtual}: an app that serves an API by itself is called under the real group, and has to know it`,
    ],
  },
  "a ClusterRole that takes in others": {
    texts: [
      `{apiVersion: ${rbac}, kind: ClusterRole, metadata: {name: a}, aggregationRule: {clusterRoleSelectors: []}}`,
    ],
    warnings: [
      "ClusterRole a: it takes in ClusterRoles of this instance alone; others need the label proxy.rookery.dev/instance=team1",
    ],
  },
  "pods that read a kubeconfig": {
    texts: [pod().replace("image: app", "image: app, args: [--kubeconfig=/k]")],
    warnings: [
      "Deployment app-system/app: container manager reads a kubeconfig, which has to lead to the proxy",
    ],
  },
  "pods that are told the old name of a webhook configuration": {
    texts: [pod().replace("image: app", "image: app, args: [--webhook-name=w]"), webhook("")],
    warnings: [
      "Deployment app-system/app: container manager has the argument --webhook-name=w, and the ValidatingWebhookConfiguration is w-team1 now",
    ],
  },
  "nothing that is not known": { texts: [pod(), service], warnings: [] },
};

describe("a warning", () => {
  for (const [sentence, { texts, warnings }] of Object.entries(cases)) {
    it(`is given for ${sentence}`, () => {
      assert.deepEqual(inject(texts, { webhookSecret: "cert" }).warnings, warnings);
    });
  }
});
