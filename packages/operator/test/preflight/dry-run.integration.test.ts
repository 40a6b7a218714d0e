import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { type Client, createClient, loadConfig } from "@rookery/client";
import { type Component, parseComponents } from "@rookery/components";
import { type Kubernetes, startKubernetes, type TestNamespace } from "@rookery/testing";
import { checkAccepted } from "../../src/preflight/dry-run.ts";

describe("components that are tried out", () => {
  let kubernetes: Kubernetes;
  let namespace: TestNamespace;
  let client: Client;

  before(async () => {
    kubernetes = await startKubernetes();
    namespace = await kubernetes.createNamespace("dry-run");
    client = createClient(await loadConfig({ path: kubernetes.kubeconfig }));
  });
  after(async () => {
    await client.destroy();
    await namespace[Symbol.asyncDispose]();
    await kubernetes[Symbol.asyncDispose]();
  });

  const deployment = (selector: string, more = "") => `
apiVersion: apps/v1
kind: Deployment
metadata: {name: manager, namespace: ${namespace.name}}
spec:
  replicas: 0${more}
  selector: {matchLabels: {app: ${selector}}}
  template:
    metadata: {labels: {app: ${selector}}}
    spec: {containers: [{name: manager, image: "example.com/manager:v1"}]}
`;
  const crd = (schema: string) => `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: eggs.dry-run.rookery.dev}
spec:
  group: dry-run.rookery.dev
  scope: Namespaced
  names: {kind: Egg, plural: eggs}
  versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: ${schema}}}]
`;
  const egg = () => `
apiVersion: dry-run.rookery.dev/v1
kind: Egg
metadata: {name: one, namespace: ${namespace.name}}
`;
  const check = (...documents: readonly string[]) =>
    checkAccepted(
      documents.flatMap((text): readonly Component[] => parseComponents(text)),
      client,
    );

  it("may be taken, and then nothing is stored", async () => {
    await check(deployment("one"), crd("{type: object}"), egg());
    const names = await kubernetes.kubectl([
      "get",
      "deployments",
      "-n",
      namespace.name,
      "-o",
      "name",
    ]);
    assert.equal(names, "");
  });

  it("may differ in what cannot be changed, because they are made anew", async () => {
    await kubernetes.kubectl(["apply", "-f", "-"], { stdin: deployment("one") });
    await check(deployment("two"));
  });

  it("are refused where the API server would refuse them, all at once", async () => {
    const bad = deployment("one").replace("labels: {app: one}", "labels: {app: other}");
    await assert.rejects(check(bad, crd("{type: nothing}")), {
      condition: "ProviderInstalled",
      reason: "ApplyFailed",
      message:
        /^could not apply CustomResourceDefinition\.\S+: .*openAPIV3Schema\.type.*; Deployment\.apps\/dry-run-\w+\/manager: Deployment\.apps "manager" is invalid: .*; nothing was changed/s,
    });
  });

  it("are refused with fields that nobody knows", async () => {
    await assert.rejects(
      check(deployment("one", "\n  replica: 1")),
      /replica: field not declared in schema/,
    );
  });

  it("are left to their time where only somebody's rights are in question", async () => {
    const { kubeconfig } = await kubernetes.user({ name: "dry-run-nobody" });
    await using stranger = createClient(await loadConfig({ path: kubeconfig }));
    await checkAccepted(parseComponents(deployment("one")), stranger);
  });
});
