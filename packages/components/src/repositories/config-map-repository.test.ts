import assert from "node:assert/strict";
import { test } from "node:test";
import { files, open } from "../../test/repositories/open.ts";
import { type ConfigMap, type ConfigMapSource, configMapOf } from "./config-map-repository.ts";

const selector = { matchLabels: { "provider-components": "aws" } };
const configMap = (name: string, data: ConfigMap["data"], labels = {}): ConfigMap => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name, namespace: "capa-system", labels },
  ...(data && { data }),
});

const source = (list: ConfigMapSource["list"]): ConfigMapSource => {
  return { place: "namespace capa-system with the labels provider-components=aws", list };
};

function openConfigMaps(...configMaps: ConfigMap[]) {
  return open({}, { fetchConfig: { selector }, configMaps: source(async () => configMaps) })
    .repository;
}

test("ConfigMaps give one version each, by name or by label", async () => {
  const labels = { "provider.cluster.x-k8s.io/version": "v0.4.8" };
  const repository = openConfigMaps(
    configMap("v0.4.9", files),
    configMap("older", files, labels),
    configMap("other", {}),
  );
  assert.deepEqual(await repository.versions(), ["v0.4.9", "v0.4.8"]);
  assert.deepEqual(await repository.files("v0.4.8"), files);
});

test("a version that no label can have is in an annotation", async () => {
  const version = "v1.2.3+build.7";
  const published = configMapOf({ name: "aws", namespace: "n" }, { ...files, version });
  assert.deepEqual(published.metadata.labels, {});
  const annotations = { "provider.cluster.x-k8s.io/version": version };
  assert.deepEqual(published.metadata.annotations, annotations);
  assert.deepEqual(await openConfigMaps(published).versions(), [version]);
  assert.deepEqual(await openConfigMaps(published).files(version), files);
});

test("both files of a release are read by one list, and what comes later by another", async () => {
  let lists = 0;
  const configMaps = source(async () => {
    lists++;
    return [configMap("v0.4.9", files)];
  });
  const { repository } = open({}, { fetchConfig: { selector }, configMaps });
  assert.deepEqual(await repository.files("v0.4.9"), files);
  assert.equal(lists, 1);
  assert.deepEqual(await repository.files("v0.4.9"), files);
  assert.equal(lists, 2);
});

test("what is over 1 MiB goes into a ConfigMap compressed, and comes back", async () => {
  const long = { ...files, components: "# padding\n".repeat(200_000) };
  const published = configMapOf({ name: "v1.0.0", namespace: "n" }, { ...long, version: "v1.0.0" });
  assert.equal(published.data?.components, undefined);
  assert.ok(JSON.stringify(published).length < 1_000_000);
  assert.deepEqual(await openConfigMaps(published).files("v1.0.0"), long);
  const plain = configMapOf({ name: "v1.0.0", namespace: "n" }, { ...files, version: "v1.0.0" });
  assert.deepEqual(plain.data, files);
  const templates = { "cluster-template-light.yaml": "kind: Cluster" };
  const offered = configMapOf(
    { name: "v1.0.0", namespace: "n" },
    { ...long, templates, version: "v1.0.0" },
  );
  const repository = openConfigMaps(offered);
  assert.deepEqual(await repository.files("v1.0.0"), long);
  const template = await repository.file("v1.0.0", "cluster-template-light.yaml");
  assert.equal(template, "kind: Cluster");
});

const configMapFailures: Record<string, readonly [ConfigMap[], string, RegExp]> = {
  "a version that no ConfigMap has": [
    [configMap("v0.4.8", files)],
    "NotFound",
    /from ConfigMaps of namespace capa-system with the labels provider-components=aws: .*there are v0\.4\.8/,
  ],
  "a version that two ConfigMaps have": [
    [
      configMap("v0.4.9", files),
      configMap("b", files, { "provider.cluster.x-k8s.io/version": "v0.4.9" }),
    ],
    "AmbiguousVersion",
    /v0.4.9, b all hold it; leave one/,
  ],
  "a ConfigMap without metadata": [
    [configMap("v0.4.9", { components: "x" })],
    "NotFound",
    /metadata of ConfigMap capa-system\/v0.4.9: it has no key "metadata"/,
  ],
};
for (const [sentence, [configMaps, reason, message]] of Object.entries(configMapFailures)) {
  test(`${sentence} is ${reason}`, async () => {
    await assert.rejects(openConfigMaps(...configMaps).files("v0.4.9"), { reason, message });
  });
}
