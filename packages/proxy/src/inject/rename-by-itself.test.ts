import assert from "node:assert/strict";
import { test } from "node:test";
import { inject, type Loose, pod } from "../../test/inject/inject.ts";

const service =
  "{apiVersion: v1, kind: Service, metadata: {name: hooks, namespace: app-system}, spec: {selector: {app: app}, ports: [{port: 443, targetPort: hooks}]}}";
const webhook =
  "{apiVersion: admissionregistration.k8s.io/v1, kind: ValidatingWebhookConfiguration, metadata: {name: judges}, webhooks: [{name: a.b.c, clientConfig: {service: {name: hooks, namespace: app-system}}}]}";
const crd =
  "{apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, metadata: {name: flocks.aviary.example.com}, spec: {group: aviary.example.com, scope: Namespaced, names: {kind: Flock}}}";
const manager = pod().replace(
  "image: app,",
  "image: app, args: [manager, --webhook-configuration=judges, --name=judges-of-birds],",
);

test("a manager that renames its groups itself is told so, and has no proxy", () => {
  const managerArguments = ["--api-group-suffix=team1.example.com"];
  const { documents, warnings } = inject([manager, service, webhook, crd], { managerArguments });
  const [deployment, hooks, configuration, definition] = documents as Loose[];
  const { spec } = deployment.spec.template;
  assert.equal(spec.initContainers, undefined);
  assert.equal(spec.volumes, undefined);
  assert.deepEqual(spec.containers[0].args, [
    "manager",
    "--webhook-configuration=judges-team1",
    "--name=judges-of-birds",
    "--api-group-suffix=team1.example.com",
  ]);
  assert.equal(hooks.spec.ports[0].targetPort, "hooks");
  assert.equal(configuration.metadata.name, "judges-team1");
  assert.equal(definition.metadata.name, "flocks.aviary.team1.example.com");
  assert.ok(!warnings.some((text) => text.includes("judges")), warnings.join("\n"));
});
