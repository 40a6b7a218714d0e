import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { inject, type Loose, pod } from "../../test/inject/inject.ts";

const service = `
apiVersion: v1
kind: Service
metadata: {name: s, namespace: app-system}
spec: {selector: {app: app}, ports: [{port: 443, targetPort: 9443}]}
`;
const webhook = `
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: w}
webhooks: [{name: w, clientConfig: {service: {name: s, namespace: app-system}}, rules: [{apiGroups: [aviary.example.com]}]}]
`;
const policy = (app: string, port: string) => `
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: {name: n, namespace: app-system}
spec: {podSelector: {matchLabels: {app: ${app}}}, ingress: [{ports: [{port: ${port}}]}, {from: []}]}
`;

function renderedPorts(...args: Parameters<typeof policy>): Loose {
  const texts = [policy(...args), pod(), service, webhook];
  const { documents, warnings } = inject(texts, { webhookSecret: "cert" });
  assert.deepEqual(warnings, []);
  const [rendered]: Loose = documents;
  return rendered.spec.ingress[0].ports;
}

describe("the NetworkPolicy of an app", () => {
  const opened = { protocol: "TCP", port: 6444 };

  it("lets API servers call webhooks at the port of the proxy, where it let them call the app's", () => {
    assert.deepEqual(renderedPorts("app", "9443"), [{ port: 9443 }, opened]);
    assert.deepEqual(renderedPorts("app", "hooks"), [{ port: "hooks" }, opened]);
  });

  it("stays as it is for other ports and for other pods", () => {
    assert.deepEqual(renderedPorts("app", "8080"), [{ port: 8080 }]);
    assert.deepEqual(renderedPorts("other", "9443"), [{ port: 9443 }]);
  });
});
