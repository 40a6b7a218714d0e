import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { parseAllDocuments } from "yaml";
import { run } from "../test/run.ts";
import { rookery } from "./program.ts";

describe("rookery", () => {
  it("says what there is when it is called without a command", async () => {
    assert.match((await run([])).output, /^ {2}local up +start a small Kubernetes/m);
    assert.deepEqual(await run("--help"), await run([]));
  });

  it("prints a YAML document for every kind", async () => {
    const { output } = await run("crds");
    const documents = parseAllDocuments(output).map((document) => document.toJS());
    assert.ok(documents.length > 0);
    for (const { kind, metadata } of documents) {
      assert.equal(kind, "CustomResourceDefinition");
      assert.match(metadata.name, /^[a-z]+\.[a-z.0-9-]+$/);
    }
  });

  it("tells its version, to programs too", async () => {
    assert.match((await run("--version")).output, /^\d+\.\d+\.\d+\n$/);
    const { rookery: version } = JSON.parse((await run("version -o=json")).output);
    assert.equal(`${version}\n`, (await run("--version")).output);
  });

  const refused: Readonly<Record<string, readonly [args: string, errors: RegExp]>> = {
    "a command that it does not have": [
      "fly",
      /^rookery: there is no command "fly"\. "rookery --help" lists the commands\.\n$/,
    ],
    "a command that is nearly one": ["mvoe", /no command "mvoe"\. Did you mean "rookery move"\?/],
    "a first word that is nearly one": ["locla up", /Did you mean "rookery local"\?/],
    "a second word that is nearly one": [
      "local stauts",
      /no command "local stauts"\. Did you mean "rookery local status"\? "rookery local --help" lists/,
    ],
    "help for a command that it does not have": ["help fly", /there is no command "fly"/],
    "flags without a command": ["-n team fly", /there is no command behind -n/],
    "an option that a command does not take": [
      "crds --colour",
      /unknown option '--colour'\. "rookery crds --help" says what it takes/,
    ],
    "an option that is nearly one": ["version --ouptut json", /Did you mean --output\?/],
    "a form that is none": ["version -o xml", /Allowed choices are table, json, yaml/],
  };
  it("takes flags before the command, with their values", async () => {
    const config = "--kubeconfig=/nowhere/kubeconfig";
    for (const args of [
      `-n team ${config} get clusters -o json`,
      `--namespace team ${config} -o json get clusters`,
      `${config} -A get clusters`,
      "--kubeconfig /nowhere/kubeconfig -n=team describe cluster prod",
    ]) {
      const { code, errors } = await run(args);
      assert.equal(code, 1, `${args}: ${errors}`);
      assert.match(errors, /\/nowhere\/kubeconfig/, args);
    }
    assert.deepEqual(await run("-o json version"), await run("version -o json"));
    assert.match((await run("-n move --help")).errors, /there is no command behind -n/);
  });

  it("takes the singular and the plural of what it lists and describes", async () => {
    for (const [typed, name] of [
      ["get tenant", "get tenants"],
      ["get cluster", "get clusters"],
      ["get provider", "get providers"],
      ["get identity", "get identities"],
      ["describe clusters", "describe cluster"],
    ]) {
      assert.deepEqual(await run(`${typed} --help`), await run(`${name} --help`));
      assert.deepEqual(await run(`help ${typed}`), await run(`${name} --help`));
    }
  });

  for (const [sentence, [args, errors]] of Object.entries(refused)) {
    it(`refuses ${sentence}, by exit code 2`, async () => {
      const outcome = await run(args);
      assert.deepEqual([outcome.code, outcome.output], [2, ""]);
      assert.match(outcome.errors, errors);
    });
  }
});

describe("kubectl rookery", () => {
  /** As the plugin of kubectl that it is. */
  async function plugin(args: string) {
    const seen = { output: "", errors: "" };
    const io = {
      write: (text: string) => {
        seen.output += text;
      },
      writeError: (text: string) => {
        seen.errors += text;
      },
      readInput: async () => "",
      env: {},
    };
    return { code: await rookery(args.split(" "), io, "kubectl rookery"), ...seen };
  }

  it("names commands in its help as they are to be typed", async () => {
    const { output } = await plugin("move --help");
    assert.match(output, /^Usage: kubectl rookery move/);
    assert.match(output, /^ {2}kubectl rookery move --to-kubeconfig/m);
    assert.doesNotMatch((await plugin("--help")).output, /(?<!kubectl )rookery (local|move|help)/);
  });

  it("does so in errors", async () => {
    const { code, errors } = await plugin("mvoe");
    assert.equal(code, 2);
    assert.match(errors, /^kubectl rookery: .* Did you mean "kubectl rookery move"\?/);
  });

  it("leaves what it prints for programs as it is", async () => {
    assert.equal((await plugin("crds")).output, (await run("crds")).output);
  });
});
