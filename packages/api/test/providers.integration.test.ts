import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import {
  customResourceDefinitionOf,
  infrastructureProvider,
  type ProviderManifest,
  providerKinds,
  resourceOf,
} from "@rookery/api";
import { groupVersionResourceOf, resourcePath } from "@rookery/kube";
import { type Kubernetes, startKubernetes, waitFor } from "@rookery/testing";
import { parseAllDocuments } from "yaml";
import { createObjectReader } from "./declaration/object-reader.ts";

const definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const examples = join(import.meta.dirname, "../../../examples/operator");
const read = await createObjectReader(infrastructureProvider, "v1alpha1");
const infrastructureProviders = groupVersionResourceOf(
  resourceOf(infrastructureProvider, "v1alpha1"),
);

type Spec = NonNullable<ProviderManifest["spec"]>;

const provider = (spec: unknown, name = "aws") => ({
  apiVersion: "management.cluster.x-k8s.io/v1alpha1",
  kind: "InfrastructureProvider",
  metadata: { name },
  ...(spec === undefined ? {} : { spec }),
});

const good: Record<string, Spec | undefined> = {
  "no spec at all": undefined,
  "a pre-release": { version: "v1.14.0-beta.1" },
  "the controller-runtime settings": {
    manager: {
      syncPeriod: "10m",
      gracefulShutDown: "-1s",
      leaderElection: { leaderElect: true, leaseDuration: "15s", resourceLock: "leases" },
      metrics: { bindAddress: ":8080" },
      health: { healthProbeBindAddress: ":9440" },
      webhook: { port: 9443, certDir: "/certs" },
      featureGates: { ClusterTopology: true },
      verbosity: 3,
      maxConcurrentReconciles: 5,
    },
  },
  "arguments of every scalar type, and an image by its parts": {
    deployment: {
      replicas: 0,
      containers: [
        {
          name: "manager",
          image: { repository: "registry.example.com/capi", tag: "v1" },
          args: { "a-concurrency": 12, "leader-elect": false, v: "2" },
          env: [{ name: "A", valueFrom: { secretKeyRef: { name: "s", key: "k" } } }],
        },
      ],
    },
  },
  "a place for its pods": {
    deployment: {
      nodeSelector: { disk: "fast" },
      tolerations: [{ key: "a", operator: "Exists", effect: "NoSchedule" }],
      affinity: {
        podAntiAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: [
            { topologyKey: "kubernetes.io/hostname", labelSelector: { matchLabels: { a: "b" } } },
          ],
        },
      },
    },
  },
  "namespaces of its own": { watch: { namespaces: ["team-a"] } },
  "the namespaces that others leave": { watch: { rest: true } },
  "an API group of its own": { apiGroupSuffix: "team-a.example.com" },
  "an OCI repository": { fetchConfig: { url: "oci://registry.example.com/providers/aws" } },
};

const bad: Record<string, [spec: unknown, cause: RegExp]> = {
  'a version without the "v"': [{ version: "1.2.3" }, /^spec\.version: .* should match/],
  "two sources": [
    { fetchConfig: { url: "https://a.example", selector: {} } },
    /^spec\.fetchConfig: .*exactly one of url and selector must be set$/,
  ],
  "no source": [{ fetchConfig: {} }, /exactly one of url and selector must be set$/],
  "a source without encryption": [{ fetchConfig: { url: "http://a.example" } }, /should match/],
  "a period that is none": [{ manager: { syncPeriod: "soon" } }, /^spec\.manager\.syncPeriod: /],
  "two addresses for metrics": [
    { manager: { metricsAddress: ":1", metrics: { bindAddress: ":2" } } },
    /metricsAddress and metrics\.bindAddress are the same thing and must not differ$/,
  ],
  "two ways to watch": [
    { watch: { namespaces: ["a"], rest: true } },
    /exactly one of namespaces, excludedNamespaces and rest must be set$/,
  ],
  "no namespace to watch": [{ watch: { namespaces: [] } }, /namespaces must not be empty$/],
  "a container twice": [
    { deployment: { containers: [{ name: "manager" }, { name: "manager" }] } },
    /^spec\.deployment\.containers\[1\]: Duplicate value/,
  ],
  "a suffix without a dot": [{ apiGroupSuffix: "teama" }, /^spec\.apiGroupSuffix: .*should match/],
};

describe("providers on a Kubernetes", () => {
  let kubernetes: Kubernetes;
  const names = providerKinds.map((kind) => customResourceDefinitionOf(kind).metadata.name);
  const path = (name?: string) =>
    resourcePath(infrastructureProviders, { namespace: "default", ...(name && { name }) });
  const create = (object: unknown) =>
    kubernetes.request("POST", `${path()}?dryRun=All&fieldValidation=Strict`, { body: object });
  before(async () => {
    kubernetes = await startKubernetes();
    await Promise.all(
      providerKinds.map((kind) => kubernetes.applyCrd(customResourceDefinitionOf(kind))),
    );
  });
  after(async () => {
    for (const name of names) await kubernetes.request("DELETE", `${definitions}/${name}`);
    await kubernetes[Symbol.asyncDispose]();
  });

  for (const file of readdirSync(examples)) {
    test(`take the example ${file}`, async () => {
      const text = readFileSync(join(examples, file), "utf8");
      const objects = parseAllDocuments(text).map((document) => document.toJS());
      const wanted = objects.filter(({ apiVersion }) => apiVersion !== "v1");
      assert.notEqual(wanted.length, 0);
      for (const { metadata, ...object } of wanted) {
        const resource = `${object.kind.toLowerCase()}s`;
        const { status, body, headers } = await kubernetes.request(
          "POST",
          `${path().replace("infrastructureproviders", resource)}?dryRun=All&fieldValidation=Strict`,
          { body: { ...object, metadata: { name: metadata.name } } },
        );
        assert.equal(status, 201, JSON.stringify(body));
        assert.equal(headers.warning, undefined);
        assert.deepEqual(body.spec, object.spec);
      }
    });
  }

  for (const [what, spec] of Object.entries(good)) {
    test(`are stored with ${what}`, async () => {
      const { status, body } = await create(provider(spec));
      assert.equal(status, 201, JSON.stringify(body));
      const ours = read(provider(spec));
      assert.ok(ours.valid);
      assert.deepEqual(body.spec, ours.object.spec);
      assert.deepEqual(body.spec, spec ?? {});
    });
  }

  for (const [what, [spec, cause]] of Object.entries(bad)) {
    test(`are refused with ${what}`, async () => {
      const { status, body } = await create(provider(spec));
      assert.equal(status, 422, JSON.stringify(body));
      const causes: string[] = body.details.causes.map(
        ({ field, message }: { field: string; message: string }) => `${field}: ${message}`,
      );
      assert.ok(
        causes.some((text) => cause.test(text)),
        causes.join("\n"),
      );
      const ours = read(provider(spec));
      assert.ok(!ours.valid);
      assert.deepEqual(ours.errors.map(String).sort(), causes.toSorted());
    });
  }

  test("lock the other manager properties while debug is on", async () => {
    const change = (manager: object) =>
      kubernetes.request("PATCH", path("locked"), {
        body: { spec: { manager } },
        headers: { "content-type": "application/merge-patch+json" },
      });
    const debugging = provider({ manager: { debug: true, verbosity: 2 } }, "locked");
    await kubernetes.request("POST", path(), { body: debugging });
    const refused = await change({ verbosity: 3 });
    assert.equal(refused.status, 422);
    assert.match(refused.body.message, /nothing else can be changed while debug is on/);
    assert.equal((await change({ featureGates: { A: true } })).status, 422);
    assert.equal((await change({ debug: false, verbosity: 3 })).status, 200);
    assert.equal((await change({ verbosity: 4 })).status, 200);
  });

  test("are listed together as the category capi, with their versions", async () => {
    await kubernetes.request("POST", path(), { body: provider({ version: "v1.2.3" }, "shown") });
    const shown = await waitFor(
      async () => {
        // kubectl believes what it has read of categories earlier, unless it is asked for all kinds. It
        // fails where one of them, of another test, is not served just now, but has read the rest.
        await kubernetes.kubectl(["api-resources", "--output=name"]).catch(() => {});
        return kubernetes.kubectl(["get", "capi", "-o", "wide"]);
      },
      { what: "the category capi" },
    );
    assert.match(shown, /INSTALLED +VERSION +CONTRACT +READY +REASON +MESSAGE +AGE/);
    assert.match(shown, /shown +v1\.2\.3/);
    assert.match(await kubernetes.kubectl(["get", "infrap"]), /shown/);
  });
});
