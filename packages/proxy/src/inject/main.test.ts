import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { appText } from "../../test/inject/inject.ts";
import { runInject } from "./main.ts";
import { readManifestFile } from "./yaml/manifest-file.ts";

const flags = ["--map=aviary.example.com=aviary.team1.example.com", "--name=team1"];
const files: Record<string, string> = {
  "app.yaml": appText(),
  "more.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: more\n",
  "bad.yaml": "a: [\n",
};

async function run(...args: readonly string[]) {
  const seen = { output: "", warnings: "" };
  await runInject(args, {
    write: (text) => {
      seen.output += text;
    },
    warn: (text) => {
      seen.warnings += text;
    },
    readFile: async (path) => {
      const text = files[path];
      if (text === undefined) throw new Error(`ENOENT: no such file: ${path}`);
      return text;
    },
    readInput: async () => files["more.yaml"] ?? "",
  });
  return seen;
}

describe("rookery proxy inject", () => {
  it("prints the manifests of all files and of the input", async () => {
    const { output } = await run("-f", "app.yaml", "-f", "-", ...flags, "--namespace=team1");
    const documents = readManifestFile(output).documents as { kind: string; metadata: object }[];
    assert.equal(documents.length, readManifestFile(appText()).documents.length + 1);
    assert.deepEqual(documents.at(-1)?.metadata, {
      name: "more",
      namespace: "team1",
      labels: { "proxy.rookery.dev/instance": "team1" },
    });
  });

  it("warns beside its output", async () => {
    const { output, warnings } = await run("-f", "app.yaml", ...flags);
    assert.match(warnings, /^warning: instance team1 lives in the namespace aviary-system/);
    assert.doesNotMatch(output, /warning/);
  });

  it("refuses its own output", async () => {
    const { output } = await run("-f", "app.yaml", ...flags, "--namespace=team1");
    files["rendered.yaml"] = output;
    await assert.rejects(run("-f", "rendered.yaml", ...flags), { code: "AlreadyInjected" });
  });

  it("helps", async () => {
    assert.match((await run("--help")).output, /^Usage: rookery proxy inject -f app.yaml/);
  });

  it("tells all that is missing at once", async () => {
    await assert.rejects(run(), (error: Error) =>
      [/-f: name a file/, /--map, --api-group-suffix: say which/, /--name: say what/].every(
        (part) => part.test(error.message),
      ),
    );
  });

  it("narrows what the app sees, with or without other groups", async () => {
    const name = ["-f", "app.yaml", "--name=one", "--namespace=one"];
    const { output } = await run(...name, "--watch-namespace=a,b", "--watch-namespace=c");
    assert.match(output, /- --namespace=a\n *- --namespace=b\n *- --namespace=c\n/);
    assert.doesNotMatch(output, /--map|team1/);
    const both = await run(...name, ...flags.slice(0, 1), "--excluded-namespace=a");
    assert.match(both.output, /- --map=aviary.*\n *- --excluded-namespace=a\n/);
  });

  it("refuses a scope that cannot be", async () => {
    const app = ["-f", "app.yaml", "--name=one"];
    await assert.rejects(
      run(...app, "--watch-namespace=a", "--excluded-namespace=b"),
      /--watch-namespace and --excluded-namespace: they exclude each other/,
    );
    await assert.rejects(run(...app, "--watch-namespace=A_b"), /--watch-namespace="A_b": it is no/);
  });

  it("refuses a mapping that cannot be", async () => {
    await assert.rejects(
      run("-f", "app.yaml", "--map=a=b", "--name=x"),
      /--api-group-suffix, --map: /,
    );
  });

  it("says which file cannot be read, and writes nothing", async () => {
    await assert.rejects(run("-f", "app.yaml", "-f", "bad.yaml", ...flags), {
      code: "ManifestFile",
      file: "bad.yaml",
    });
    await assert.rejects(run("-f", "none.yaml", ...flags), /could not use none.yaml: ENOENT/);
  });
});
