import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { parseAllDocuments } from "yaml";
import { appText, options } from "../../../test/inject/inject.ts";
import { injectProxy } from "../inject-proxy.ts";
import { joinFiles, readManifestFile } from "./manifest-file.ts";

function change(text: string, ...after: readonly unknown[]): string {
  const file = readManifestFile(text);
  return file.write(file.documents.map((document, index) => after[index] ?? document));
}

describe("the text of manifests", () => {
  const texts: Record<string, string> = {
    "with comments and odd forms": "# first\na:   'x'  # why\n\n---\n# second\n{b: [1,\n 2]}\n",
    "with an empty document": "---\n---\na: 1\n---\n# nothing\n",
    "with an end marker": "a: 1\n...\n---\nb: 0x1F\n",
    "of JSON": '{"a": 1e3}\n',
    "with numbers that are not safe": "a: 12345678901234567890\nb: 0o777\nc: yes\n",
  };
  for (const [sentence, text] of Object.entries(texts)) {
    it(`stays byte for byte where nothing changes, ${sentence}`, () => {
      assert.equal(change(text), text);
    });
  }

  it("keeps comments and forms of what does not change", () => {
    const text = `# about it
a: 1 # one
list:
- name: x # the x
  port: "80"
- name: z
b: {c: 'd'}
`;
    const after = {
      a: 2,
      list: [{ name: "new" }, { name: "x", port: "80" }, { name: "z", q: 1 }],
      b: { c: "d" },
    };
    assert.equal(
      change(text, after),
      `# about it
a: 2 # one
list:
- name: new
- name: x # the x
  port: "80"
- name: z
  q: 1
b: {c: 'd'}
`,
    );
  });

  it("loses keys and changes types", () => {
    assert.equal(change("a: 1\nb: x # c\n", { b: 5 }), "b: 5 # c\n");
  });

  it("changes one of two places that an alias makes the same", () => {
    const written = change("a: &x {k: 1}\nb: *x\n", { a: { k: 2 }, b: { k: 1 } });
    assert.deepEqual(parseAllDocuments(written)[0]?.toJS(), { a: { k: 2 }, b: { k: 1 } });
  });

  it("has no aliases that were not there", () => {
    const twice = { k: 1 };
    assert.equal(change("a: 1\n", { a: twice, b: twice }), "a:\n  k: 1\nb:\n  k: 1\n");
  });

  it("takes in what a merge key refers to, as kubectl does", () => {
    const [document] = readManifestFile("a: &x {k: 1}\nb: {<<: *x, l: 2}\n").documents;
    assert.deepEqual(document, { a: { k: 1 }, b: { k: 1, l: 2 } });
  });

  it("is read and written as kubectl reads it, by YAML 1.1", () => {
    const text =
      "a: 0644\nb: yes\nc: 12345678901234567890\nd: 2021-02-03T04:05:06Z\ne: 1.50\nf: ~\n";
    const [document] = readManifestFile(text).documents as object[];
    const { a, b, d } = document as Record<string, unknown>;
    assert.deepEqual([a, b, d], [0o644, true, "2021-02-03T04:05:06Z"]);
    assert.equal(change(text, { ...document, g: "yes", h: "1e3" }), `${text}g: "yes"\nh: "1e3"\n`);
  });

  it("is refused by its line where it is no YAML", () => {
    assert.throws(() => readManifestFile("a: 1\n---\nb: {{ .Values.x }}\nc: [\n"), {
      code: "ManifestSyntax",
      message: /^could not read the manifests: line [345]: /,
    });
  });

  it("of a whole app reads as what was rendered, with its comments", () => {
    const file = readManifestFile(appText());
    const { documents } = injectProxy(file.documents, options);
    const written = file.write(documents);
    assert.deepEqual(readManifestFile(written).documents, documents);
    assert.match(written, /# The size in words: "3 birds"\./);
    assert.match(written, /targetPort: 6444 # the app's own port/);
  });
});

it("several files become one stream of documents", () => {
  assert.equal(
    joinFiles(["a: 1\n", "# b\nb: 1\n", "---\nc: 1\n", "\n"]),
    "a: 1\n---\n# b\nb: 1\n---\nc: 1\n",
  );
});
