import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { inspectVariables, lookupIn, replaceVariables } from "@rookery/components";
import { parseAllDocuments } from "yaml";
import { run } from "../../test/run.ts";

const printed = async (file: string) => (await run(`install nested --file ${file}`)).output;

describe("rookery install nested", () => {
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

  it("refuses controllers that there are not", async () => {
    const { code, errors } = await run("manager nested --controllers=all");
    assert.notEqual(code, 0);
    assert.match(errors, /infrastructure or control-plane/);
  });
});
