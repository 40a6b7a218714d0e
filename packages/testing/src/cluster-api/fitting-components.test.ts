import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { parseAllDocuments } from "yaml";
import { fittingComponents } from "./fitting-components.ts";

const components = `apiVersion: v1
kind: Service
metadata: {name: webhooks}
spec: {ports: [{port: 443, targetPort: webhook-server}]}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: manager}
spec:
  replicas: 1
  template:
    spec:
      containers:
      - name: manager
        imagePullPolicy: Always
        args: ["--leader-elect", "--diagnostics-address=:8443", "--v=\${VERBOSITY:=1}"]
        ports: [{name: webhook-server, containerPort: 9443}, {name: healthz, containerPort: 9440}]
`;

describe("components of a stock provider", () => {
  it("stay what they are on a real node, but for the registry that is not there", () => {
    const expected = components.replace("Always", "IfNotPresent");
    assert.equal(fittingComponents({ flavour: "node" }, components), expected);
  });

  it("listen at their pod on the embedded node, and each instance has a port for its webhooks", () => {
    const fitted = fittingComponents({ flavour: "embedded" }, components, 1);
    const [service, deployment] = parseAllDocuments(fitted).map((document) => document.toJS());
    assert.equal(service.spec.ports[0].targetPort, "webhook-server");
    assert.deepEqual(deployment.spec.strategy, { type: "Recreate" });
    const [container] = deployment.spec.template.spec.containers;
    assert.deepEqual(container.args, [
      "--leader-elect",
      `--v=\${VERBOSITY:=1}`,
      "--diagnostics-address=$(ROOKERY_LISTEN_HOST):8443",
      "--health-addr=$(ROOKERY_LISTEN_HOST):9440",
      "--webhook-port=19444",
    ]);
    assert.deepEqual(
      container.ports.map(({ containerPort }: { containerPort: number }) => containerPort),
      [19444, 9440],
    );
  });
});
