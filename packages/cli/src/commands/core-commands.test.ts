import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  contractOf,
  managerFlags,
  parseComponents,
  parseMetadata,
  renderComponents,
} from "@rookery/components";
import { run } from "../../test/run.ts";
import { releaseVersion } from "../releases/release-version.ts";

describe("rookery install core", () => {
  it("prints components that can be rendered for any namespace", async () => {
    const { code, output } = await run("install core --image example/rookery:v1");
    assert.equal(code, 0);
    const rendering = renderComponents({
      provider: { kind: "CoreProvider", name: "rookery-core" },
      version: releaseVersion,
      components: parseComponents(output),
      namespace: "elsewhere",
      spec: { deployment: { replicas: 2 } },
    });
    assert.deepEqual(rendering.warnings, []);
    assert.deepEqual(rendering.images, ["example/rookery:v1"]);
    assert.doesNotMatch(JSON.stringify(rendering.components), /"namespace":"rookery-core-/);
  });

  it("prints metadata with the contract of Cluster API", async () => {
    const { output } = await run("install core --file metadata.yaml");
    assert.equal(contractOf(parseMetadata(output), releaseVersion), "v1beta2");
  });

  it("keeps its kinds out of those that are applied on real clusters", async () => {
    const { output } = await run("crds");
    assert.doesNotMatch(output, /name: clusters\.cluster\.x-k8s\.io/);
  });
});

describe("rookery manager core", () => {
  it("has the flags that the operator knows it by", async () => {
    const { code, output } = await run("manager core --help");
    assert.equal(code, 0);
    const taken = [...output.matchAll(/^ *--([a-z-]+)/gm)].map(([, name]) => name).sort();
    const { names, complete } = managerFlags("rookery-core", releaseVersion);
    assert.ok(complete);
    assert.deepEqual([...names].sort(), taken);
  });
});
