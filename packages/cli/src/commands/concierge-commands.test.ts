import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { parseAllDocuments } from "yaml";
import { run } from "../../test/run.ts";

describe("rookery install concierge", () => {
  it("prints a YAML document for every object, without aliases", async () => {
    const { code, output } = await run(
      "install concierge --namespace login --api-group-suffix team1.example.com",
    );
    assert.equal(code, 0);
    const manifests = parseAllDocuments(output).map((document) => document.toJS());
    assert.equal(manifests[0].kind, "Namespace");
    assert.ok(manifests.some(({ kind }) => kind === "APIService"));
    assert.doesNotMatch(output, /[&*]a\d/);
    assert.doesNotMatch(output, /pinniped\.dev/);
  });

  it("prints the files of its release, which stay within one namespace", async () => {
    const { code, output } = await run("install concierge --file addon-components.yaml");
    assert.equal(code, 0);
    const manifests = parseAllDocuments(output).map((document) => document.toJS());
    const namespaces = new Set(manifests.flatMap(({ metadata }) => metadata.namespace ?? []));
    assert.deepEqual([...namespaces], ["rookery-concierge-system"]);
    assert.match((await run("install concierge --file metadata.yaml")).output, /kind: Metadata/);
    const wrong = await run("install concierge --file components.yaml");
    assert.equal(wrong.code, 2);
    assert.match(wrong.errors, /there are addon-components\.yaml, metadata\.yaml/);
  });

  it("refuses what can't be installed", async () => {
    assert.equal((await run("install concierge")).code, 2);
    assert.equal((await run("install concierge --namespace a --replicas many")).code, 2);
    const { code, errors } = await run("install concierge --namespace a --api-group-suffix nodot");
    assert.equal(code, 1);
    assert.match(
      errors,
      /could not render the concierge: --api-group-suffix: "nodot" must contain/,
    );
  });
});

describe("rookery manager concierge", () => {
  it("says what it takes", async () => {
    const { code, output } = await run("manager concierge --help");
    assert.equal(code, 0);
    assert.match(output, /--api-group-suffix string/);
    assert.match(output, /--signing-secret string/);
  });

  it("names everything that is wrong with its flags", async () => {
    const { code, errors } = await run("manager concierge --api-group-suffix=a --secure-port=x");
    assert.equal(code, 2);
    assert.match(errors, /--secure-port=x: it must be a whole number/);
    assert.match(errors, /"rookery manager concierge --help" says what it takes/);
  });
});

describe("rookery login", () => {
  it("needs an authenticator, a token and a cluster", async () => {
    assert.equal((await run("login")).code, 2);
    const named = "login --authenticator-name corp";
    assert.match((await run(named)).errors, /no token is given; pass one of --token/);
    assert.match((await run(`${named} --token a`)).errors, /provideClusterInfo: true/);
  });
});
