// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the templates under test are plain strings
import assert from "node:assert/strict";
import { readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { parseComponents } from "@rookery/components";
import { clusterctlProgram, whyUnavailable } from "@rookery/testing";
import { createReleaseFolder, type ReleaseFolder } from "../generate/release.ts";
import { run } from "../run.ts";

const skip = await whyUnavailable(() => clusterctlProgram());

describe("rookery generate", { skip }, () => {
  let releases: ReleaseFolder;
  const env = { SERVER: "vc.example", KUBERNETES_VERSION: "v1.34.0" };

  before(async () => {
    releases = await createReleaseFolder();
  });
  after(async () => {
    await releases?.[Symbol.asyncDispose]();
  });

  const ours = (args: string, input?: string) => {
    const all = [...args.split(" "), `--config=${releases.config}`];
    const home = { HOME: releases.path, XDG_CONFIG_HOME: releases.path };
    return run(["generate", ...all], { env: { ...home, ...env }, ...(input && { input }) });
  };
  const theirs = (args: string, input?: string) =>
    releases.clusterctl(["generate", ...args.split(" ")], { env, ...(input && { input }) });

  const small = "--infrastructure=small:v1.0.0";
  for (const args of [
    `cluster prod -n team ${small}`,
    `cluster prod -n team ${small} --kubernetes-version=v1.33.1 --control-plane-machine-count=3 --worker-machine-count=5`,
    `cluster prod -n team ${small} --flavor=classy`,
    `cluster prod -n team ${small} --list-variables`,
    `cluster prod ${small} -n team --list-variables --worker-machine-count=2`,
    `provider ${small} --describe`,
  ]) {
    it(`prints what clusterctl prints: ${args}`, async () => {
      const { code, output, errors } = await ours(args);
      assert.deepEqual({ code, errors }, { code: 0, errors: "" });
      assert.equal(output, await theirs(args));
    });
  }

  const documents: Readonly<Record<string, string>> = {
    "variables in text, keys and numbers":
      "a: ${SERVER}\n${KUBERNETES_VERSION}: ${N:=007}\nb: '${N}'\n",
    "texts that look like something else":
      'a: ["yes", "1", "1e3", "0x1f", "~", "", " x", "x ", "a: b", "a #b", "- x", "@", "*a", "2001-01-01", "1:30", y]\n',
    "texts of several lines":
      'a: "x\\ny"\nb: "x\\ny\\n"\nc: "x\\n\\n"\nd: "  x\\ny"\ne: "x \\ny"\nf: "\\n"\n',
    "texts that are long":
      "a: &t a text that is so long that it does not fit into a line of eighty characters, not even nearly\nb: {c: [*t, {d: *t}]}\n",
    "keys in their order":
      "{a10: 1, a2: 1, A: 1, _b: 1, a-b: 1, v1beta10: 1, v1beta2: 1, aB: 1, ab: 1}\n",
    numbers: "[{a: 1.5, b: 1e21, c: 1234567.5, d: 0.00001, e: -5, f: 12345678901234567, g: 1.0}]\n",
    "empty documents and comments": "# x\n---\n---\na: 1\n---\n# y\n",
  };
  for (const [name, text] of Object.entries(documents)) {
    it(`writes YAML as clusterctl does: ${name}`, async () => {
      const object = name === "numbers" ? text.slice(1, -2) : text;
      assert.equal((await ours("yaml", object)).output, await theirs("yaml", object));
    });
  }

  it("lists the variables of YAML as clusterctl does", async () => {
    const text = "a: ${B} ${A:=x} ${ C }\n";
    const args = "yaml --list-variables";
    assert.equal((await ours(args, text)).output, await theirs(args, text));
    assert.equal((await ours(args, "a: b\n")).output, await theirs(args, "a: b\n"));
  });

  it("takes templates from files, and from the input", async () => {
    const file = await releases.write("own.yaml", "kind: X\nmetadata: {name: '${CLUSTER_NAME}'}\n");
    const args = `cluster prod -n team --from=${file}`;
    const { output } = await ours(args);
    assert.equal(output, await theirs(args));
    assert.match(output, /namespace: team/);
    const input = await ours("cluster prod -n team --from -", await readFile(file, "utf8"));
    assert.equal(input.output, output);
  });

  it("prints the components that clusterctl prints, in its order", async () => {
    const args = `provider ${small} -n other`;
    const [own, other] = [await ours(args), await theirs(args)].map((one) =>
      parseComponents(typeof one === "string" ? one : one.output),
    );
    const plain = (objects = own) =>
      objects?.map(({ status: _, ...object }) => withoutEmpty(object));
    assert.deepEqual(plain(own), plain(other));
  });

  it("leaves variables alone where that is asked for", async () => {
    const { output } = await ours(`provider ${small} --raw`);
    assert.match(output, /--server=\$\{SERVER\}/);
  });

  it("writes to a file that only its owner reads", async () => {
    const file = join(releases.path, "out.yaml");
    await writeFile(file, "one that everybody could read", { mode: 0o644 });
    const { output } = await ours(`cluster prod -n team ${small} --write-to=${file}`);
    assert.equal(output, "");
    assert.equal(
      await readFile(file, "utf8"),
      (await ours(`cluster prod -n team ${small}`)).output,
    );
    assert.equal((await stat(file)).mode & 0o777, 0o600);
  });

  it("takes files of the overrides folder instead of those of the release", async () => {
    const place = "cluster-api/overrides/infrastructure-small/v1.0.0/cluster-template-mine.yaml";
    await releases.write(place, "kind: X\nmetadata: {name: mine}\n");
    const args = `cluster prod -n team ${small} --flavor=mine`;
    const { output } = await ours(args);
    assert.match(output, /name: mine/);
    assert.equal(output, await theirs(args));
  });

  it("names all values that are missing, and the way out", async () => {
    const { code, errors } = await ours("yaml", "a: ${MISSING} ${ALSO_MISSING}\n");
    assert.equal(code, 1);
    assert.match(
      errors,
      /there is no value for ALSO_MISSING, MISSING; set them in the environment/,
    );
  });
});

/** clusterctl reads some kinds into Go's types and writes them again, with what is empty in them. */
function withoutEmpty(value: unknown): unknown {
  if (Array.isArray(value)) return value.length > 0 ? value.map(withoutEmpty) : undefined;
  if (typeof value !== "object" || value === null) return value ?? undefined;
  const fields = Object.entries(value)
    .map(([name, field]) => [name, withoutEmpty(field)] as const)
    .filter(([, field]) => field !== undefined);
  return fields.length > 0 ? Object.fromEntries(fields) : undefined;
}
