import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import type { Client } from "@rookery/client";
import { FieldError, fieldPath, invalidError, type Resource } from "@rookery/kube";
import { createCertificateAuthority } from "@rookery/pki";
import {
  createProvider,
  parseProviderFlags,
  silentLogger,
  validatingWebhook,
} from "@rookery/runtime";
import {
  type CustomResourceDefinition,
  createTemporaryFolder,
  freePort,
  type Kubernetes,
  startKubernetes,
  type TemporaryFolder,
  waitFor,
} from "@rookery/testing";
import { adminClient, configMaps, type Nest, nest, nests, nestsCrd } from "./nests.ts";
import { startProvider } from "./provider-process.ts";

const suffix = "team1.example.com";
/** What the nests of the second instance are called in the cluster. */
const renamed: Resource = { ...nests, group: `runtime.${suffix}` };
const renamedCrd: CustomResourceDefinition = {
  ...nestsCrd,
  metadata: { name: `nests.${renamed.group}` },
  spec: { ...nestsCrd.spec, group: renamed.group },
};
const namespace = "default";

describe("a provider with --api-group-suffix", () => {
  let kubernetes: Kubernetes;
  let client: Client;
  let folder: TemporaryFolder;
  before(async () => {
    kubernetes = await startKubernetes({ private: true, controllerManager: false });
    for (const crd of [nestsCrd, renamedCrd]) await kubernetes.applyCrd(crd);
    client = await adminClient(kubernetes);
    folder = await createTemporaryFolder("group-suffix");
  });
  after(async () => {
    await folder?.[Symbol.asyncDispose]();
    await client?.destroy();
    await kubernetes?.[Symbol.asyncDispose]();
  });

  const nestOf = ({ group }: Resource, name: string, eggs: number): Nest => ({
    ...nest({ namespace, name }, eggs),
    apiVersion: `${group}/v1`,
  });
  const isCounted = (resource: Resource, name: string, eggs: number) =>
    waitFor(
      async () => {
        const { status } = await client.resource<Nest>(resource).get({ namespace, name });
        return status?.eggs === eggs;
      },
      { what: `${name} of ${resource.group} to be counted` },
    );

  test("lives beside one without it, each with its own objects", async () => {
    const of = { program: "brood-manager.ts", kubernetes, ownNamespace: namespace };
    await using one = await startProvider({ ...of, folder: folder.path });
    const args = [`--api-group-suffix=${suffix}`];
    await using two = await startProvider({ ...of, args, folder: folder.path });
    await client.resource<Nest>(nests).create(nestOf(nests, "one", 1));
    await client.resource<Nest>(renamed).create(nestOf(renamed, "two", 2));
    await isCounted(nests, "one", 1);
    await isCounted(renamed, "two", 2);
    const { items } = await client
      .resource(configMaps)
      .listAll({ namespace, labelSelector: "rookery.dev/nest" });
    const owners = items.map(({ metadata }) => [
      metadata.name,
      metadata.ownerReferences?.[0]?.apiVersion,
    ]);
    assert.deepEqual(owners, [
      ["one-0", `${nests.group}/v1`],
      ["two-0", `${renamed.group}/v1`],
      ["two-1", `${renamed.group}/v1`],
    ]);
    const eggs = client.resource(configMaps);
    await eggs.delete({ namespace, name: "two-1" });
    await waitFor(() => eggs.get({ namespace, name: "two-1" }).then(() => true), {
      what: "the egg to be laid again, by its owner of another name",
    });
    for (const { ending } of [one, two]) assert.equal(ending, undefined);
  });

  test("gets its own names at its webhooks", async () => {
    const ca = await createCertificateAuthority({ commonName: "test" });
    const leaf = await ca.issue({
      commonName: "w",
      ipAddresses: ["127.0.0.1"],
      usages: ["server"],
    });
    await writeFile(join(folder.path, "tls.crt"), leaf.certificate);
    await writeFile(join(folder.path, "tls.key"), leaf.key, { mode: 0o600 });
    const port = await freePort();
    const flags = parseProviderFlags(
      [
        `--kubeconfig=${kubernetes.kubeconfig}`,
        ...["--health-addr=0", "--metrics-bind-address=0"],
        `--webhook-port=${port}`,
        `--webhook-cert-dir=${folder.path}`,
        `--api-group-suffix=${suffix}`,
      ],
      {},
    );
    assert.ok(!flags.help);
    const logger = silentLogger;
    const apiGroup = { defaultSuffix: "testing.rookery.dev" };
    const provider = await createProvider({ name: "suffixed", flags, apiGroup, logger });
    const seen: string[] = [];
    const webhook = validatingWebhook<Nest>(nests, {
      create({ apiVersion, metadata }) {
        seen.push(apiVersion);
        const error = FieldError.forbidden(fieldPath("spec"), "no more nests");
        throw invalidError(nests, metadata.name ?? "", [error]);
      },
    });
    provider.addWebhooks({ service: "none", publish: async () => {} })?.register(webhook);
    const stop = new AbortController();
    const running = provider.run(stop.signal);
    await using _ = {
      [Symbol.asyncDispose]() {
        stop.abort();
        return running;
      },
    };
    await kubernetes.request("POST", configurations, {
      body: configurationOf(`https://127.0.0.1:${port}${webhook.path}`, ca.certificate),
    });
    const create = () => client.resource<Nest>(renamed).create(nestOf(renamed, "more", 1));
    await waitFor(() => create().then(() => false, isRefused), { what: "a refusal" });
    assert.equal(seen[0], `${nests.group}/v1`);
    await assert.rejects(create(), new RegExp(`Nest\\.${renamed.group} "more" is invalid`));
  });
});

const configurations = "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations";

function configurationOf(url: string, ca: string): object {
  const operations = ["CREATE"];
  const rule = {
    apiGroups: [renamed.group],
    apiVersions: ["v1"],
    resources: ["nests"],
    operations,
  };
  return {
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: "ValidatingWebhookConfiguration",
    metadata: { name: "suffixed" },
    webhooks: [
      {
        name: "nests.rookery.dev",
        clientConfig: { url, caBundle: Buffer.from(ca).toString("base64") },
        admissionReviewVersions: ["v1"],
        sideEffects: "None",
        timeoutSeconds: 30,
        rules: [rule],
      },
    ],
  };
}

function isRefused(error: unknown): boolean {
  if (/no more nests/.test(String(error))) return true;
  throw error;
}
