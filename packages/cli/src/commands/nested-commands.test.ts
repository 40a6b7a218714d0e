import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  contractOf,
  inspectVariables,
  lookupIn,
  managerFlags,
  parseComponents,
  parseMetadata,
  renderComponents,
  replaceVariables,
} from "@rookery/components";
import { parseAllDocuments } from "yaml";
import { run } from "../../test/run.ts";
import { releaseVersion } from "../releases/release-version.ts";

const providers = {
  "infrastructure-components.yaml": "InfrastructureProvider",
  "control-plane-components.yaml": "ControlPlaneProvider",
} as const;
const printed = async (file: string) => (await run(`install nested --file ${file}`)).output;

describe("rookery install nested", () => {
  for (const [file, kind] of Object.entries(providers)) {
    it(`prints ${file} that can be rendered for any namespace`, async () => {
      const args = `install nested --image example/rookery:v1 --file ${file}`;
      const { code, output } = await run(args);
      assert.equal(code, 0);
      const rendering = renderComponents({
        provider: { kind, name: "nested" },
        version: releaseVersion,
        components: parseComponents(output),
        namespace: "elsewhere",
        spec: { deployment: { replicas: 2 } },
      });
      assert.deepEqual(rendering.warnings, []);
      assert.deepEqual(rendering.images, ["example/rookery:v1"]);
      assert.doesNotMatch(JSON.stringify(rendering.components), /"namespace":"capn-/);
    });
  }

  it("prints metadata with the contract of Cluster API", async () => {
    const metadata = parseMetadata(await printed("metadata.yaml"));
    assert.equal(contractOf(metadata, releaseVersion), "v1beta2");
  });

  it("prints a template that asks for nothing but name, namespace and version", async () => {
    const text = await printed("cluster-template.yaml");
    const required = inspectVariables(text).filter((one) => one.default === undefined);
    assert.deepEqual(required.map(({ name }) => name).toSorted(), [
      "CLUSTER_NAME",
      "KUBERNETES_VERSION",
      "NAMESPACE",
    ]);
    const given = { CLUSTER_NAME: "007", NAMESPACE: "n", KUBERNETES_VERSION: "v1.34.4" };
    const documents = parseAllDocuments(replaceVariables(text, lookupIn(given)));
    const objects = documents.map((document) => document.toJS());
    assert.deepEqual(
      objects.map(({ metadata }) => metadata.name),
      ["007", "007", "007"],
    );
    assert.equal(objects[2].spec.version, "v1.34.4");
    assert.deepEqual(objects[0].spec.clusterNetwork.services.cidrBlocks, ["10.96.0.0/12"]);
  });

  it("names the files that there are where one is not", async () => {
    const { code, errors } = await run("install nested --file nothing.yaml");
    assert.notEqual(code, 0);
    assert.match(errors, /control-plane-components\.yaml/);
  });
});

describe("rookery manager nested", () => {
  it("tells its flags, those of every provider among them", async () => {
    const { code, output } = await run("manager nested --help");
    assert.equal(code, 0);
    assert.match(output, /--controllers/);
    assert.match(output, /--leader-elect/);
  });

  it("has the flags that the operator knows both providers by", async () => {
    const { output } = await run("manager nested --help");
    const taken = [...output.matchAll(/^ *--([a-z-]+)/gm)].map(([, name]) => name).sort();
    for (const provider of ["infrastructure-nested", "control-plane-nested"]) {
      const { names, complete } = managerFlags(provider, releaseVersion);
      assert.ok(complete);
      assert.deepEqual([...names].sort(), taken);
    }
  });

  it("refuses controllers that there are not", async () => {
    const { code, errors } = await run("manager nested --controllers=all");
    assert.notEqual(code, 0);
    assert.match(errors, /infrastructure or control-plane/);
  });
});
