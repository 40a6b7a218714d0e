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

const provider = { kind: "InfrastructureProvider", name: "vsphere" } as const;
/** Every character that YAML could stumble over. */
const password = `'a"b: #{c}%&*!|>@\`\\ - [x]`;
const printed = async (file: string) => (await run(`install vsphere --file ${file}`)).output;

describe("rookery install vsphere", () => {
  it("prints components that can be rendered for any namespace, without any variable given", async () => {
    const { code, output } = await run("install vsphere --image example/rookery:v1");
    assert.equal(code, 0);
    const components = parseComponents(replaceVariables(output, lookupIn({})));
    const rendering = renderComponents({
      provider,
      version: releaseVersion,
      components,
      namespace: "elsewhere",
      spec: { deployment: { replicas: 2 } },
    });
    assert.deepEqual(rendering.warnings, []);
    assert.deepEqual(rendering.images, ["example/rookery:v1"]);
    assert.match(JSON.stringify(rendering.components), /"replicas":2/);
    assert.doesNotMatch(JSON.stringify(rendering.components), /"namespace":"capv-system"/);
    const secret = components.find(({ kind }) => kind === "Secret");
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

  it("prints metadata that names the contract of the first release", async () => {
    const metadata = parseMetadata(await printed("metadata.yaml"));
    assert.equal(contractOf(metadata, releaseVersion), "v1beta2");
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

  it("has the flags that the operator knows it by", async () => {
    const { output } = await run("manager vsphere --help");
    const taken = [...output.matchAll(/^ *--([a-z-]+)/gm)].map(([, name]) => name).sort();
    const { names, complete } = managerFlags("infrastructure-vsphere", releaseVersion);
    assert.ok(complete);
    assert.deepEqual([...names].sort(), taken);
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
