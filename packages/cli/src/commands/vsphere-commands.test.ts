import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { inspectVariables, lookupIn, parseComponents, replaceVariables } from "@rookery/components";
import { parseAllDocuments } from "yaml";
import { run } from "../../test/run.ts";

/** Every character that YAML could stumble over. */
const password = `'a"b: #{c}%&*!|>@\`\\ - [x]`;
const printed = async (file: string) => (await run(`install vsphere --file ${file}`)).output;

describe("rookery install vsphere", () => {
  it("has credentials of the controller that are empty unless variables are given", async () => {
    const text = replaceVariables(await printed("infrastructure-components.yaml"), lookupIn({}));
    const secret = parseComponents(text).find(({ kind }) => kind === "Secret");
    assert.deepEqual(secret?.stringData, { username: "", password: "", servers: "" });
  });

  it("keeps the controller's own credentials as they are given", async () => {
    const given = { VSPHERE_USERNAME: "007", VSPHERE_PASSWORD: password, VSPHERE_SERVER: "a,b" };
    const text = replaceVariables(await printed("infrastructure-components.yaml"), lookupIn(given));
    const secret = parseComponents(text).find(({ kind }) => kind === "Secret");
    assert.deepEqual(secret?.stringData, { username: "007", password, servers: "a,b" });
  });

  it("lists the vCenters of the installation by a variable that needs no account beside it", async () => {
    const text = await printed("infrastructure-components.yaml");
    const listed = (given: Record<string, string>) => {
      const found = parseComponents(replaceVariables(text, lookupIn(given)));
      const args = JSON.stringify(found.find(({ kind }) => kind === "Deployment"));
      return /"--vcenter-server=([^"]*)"/.exec(args)?.[1]?.trim();
    };
    assert.equal(listed({}), "");
    assert.equal(listed({ VSPHERE_VCENTER_SERVERS: "a,b:8443" }), "a,b:8443");
  });

  for (const file of ["cluster-template.yaml", "cluster-template-identity.yaml"]) {
    it(`prints ${file}, whose variables may have any value`, async () => {
      const text = await printed(file);
      const given = Object.fromEntries(
        inspectVariables(text).map(({ name }) => [
          name,
          name === "VSPHERE_PASSWORD" ? password : "1",
        ]),
      );
      const documents = parseAllDocuments(replaceVariables(text, lookupIn(given)));
      const objects = documents.map((document) => document.toJS());
      const of = (kind: string) => objects.find((object) => object.kind === kind);
      assert.deepEqual(of("Secret").stringData, { username: "1", password });
      assert.equal(of("VSphereCluster").spec.server, "1");
      assert.equal(of("VSphereCluster").spec.controlPlaneEndpoint.port, 1);
      assert.equal(of("MachineDeployment").spec.replicas, 1);
    });
  }

  it("prints a template without machines, for a plane without kubeadm", async () => {
    const text = await printed("cluster-template-no-machines.yaml");
    const values = Object.fromEntries(inspectVariables(text).map(({ name }) => [name, "1"]));
    const documents = parseAllDocuments(replaceVariables(text, lookupIn(values)));
    const objects = documents.map((document) => document.toJS());
    assert.deepEqual(
      objects.map(({ kind }) => kind),
      ["Cluster", "VSphereCluster"],
    );
    assert.equal(objects[0].spec.controlPlaneRef, undefined);
    assert.ok(!("KUBERNETES_VERSION" in values), "nothing of machines has to be set");
  });

  it("prints a template whose identity is for one namespace and one server", async () => {
    const text = await printed("cluster-template-identity.yaml");
    const values = Object.fromEntries(
      inspectVariables(text).map(({ name }) => [name, name.toLowerCase()]),
    );
    const [, identity] = parseAllDocuments(replaceVariables(text, lookupIn(values)));
    const { spec } = identity?.toJS() ?? {};
    assert.deepEqual(spec.allowedServers, ["vsphere_server"]);
    assert.deepEqual(spec.allowedNamespaces, { list: ["namespace"] });
  });

  it("names the files that there are", async () => {
    const { code, errors } = await run("install vsphere --file other.yaml");
    assert.equal(code, 2);
    assert.match(errors, /--file "other.yaml" is not there: .*metadata\.yaml/);
  });
});

describe("rookery manager vsphere", () => {
  it("says what it takes", async () => {
    const { code, output } = await run("manager vsphere --help");
    assert.equal(code, 0);
    for (const flag of ["credentials-namespace", "credentials-dir", "vcenter-ca-file"]) {
      assert.match(output, new RegExp(`--${flag} string`));
    }
    assert.match(output, /--vspherecluster-concurrency int/);
    assert.match(output, /--leader-elect/);
  });

  it("names everything that is wrong with its flags", async () => {
    const { code, errors } = await run(
      "manager vsphere --vspherevm-concurrency=0 --credential-dir=x",
    );
    assert.equal(code, 2);
    assert.match(errors, /--vspherevm-concurrency=0: it must be a whole number of at least 1/);
    assert.match(errors, /did you mean --credentials-dir\?/);
    assert.match(errors, /"rookery manager vsphere --help" says what it takes/);
  });
});
