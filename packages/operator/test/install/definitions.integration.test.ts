import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { clusterApiSource, whyUnavailable } from "@rookery/testing";
import { parse } from "yaml";
import { createInstallation } from "../../src/install/installation.ts";
import { customResourceDefinitions } from "../../src/install/manifests.ts";

const skip = await whyUnavailable(() => clusterApiSource());

test("clusterctl's inventory is the kind that the real clusterctl makes", { skip }, async () => {
  const folder = join(await clusterApiSource(), "cmd/clusterctl/config/crd/bases");
  const file = join(folder, "clusterctl.cluster.x-k8s.io_providers.yaml");
  const real = parse(await readFile(file, "utf8"));
  const ours = customResourceDefinitions(createInstallation({ image: "a" })).at(-1);
  assert.deepEqual(factsOf(ours), factsOf(real));
});

/** All but the words for people, and what says nothing. */
function factsOf(definition: unknown): unknown {
  const { metadata, spec } = structuredClone(definition) as {
    metadata: { name: string };
    spec: { versions: { subresources?: object }[] };
  };
  for (const version of spec.versions) {
    if (Object.keys(version.subresources ?? {}).length === 0) delete version.subresources;
  }
  const isWord = (key: string) => key === "description";
  const text = JSON.stringify(spec, (key, value) => (isWord(key) ? undefined : value));
  return { name: metadata.name, spec: JSON.parse(text) };
}
