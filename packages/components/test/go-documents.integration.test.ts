import assert from "node:assert/strict";
import { test } from "node:test";
import { formatGoDocuments } from "@rookery/components";
import {
  clusterctlProgram,
  createTemporaryFolder,
  runCommand,
  whyUnavailable,
} from "@rookery/testing";
import fc from "fast-check";

const skip = await whyUnavailable(() => clusterctlProgram());

/** Letters, and all that means something to YAML, to clusterctl's variables nothing. */
const characters = [..."abyno019.eExX+_é ", ..."  :#-'\"\n\\{}[],&*!|>%@`?~=</()"];
const text = fc.oneof(
  fc.string({ unit: fc.constantFrom(...characters), maxLength: 12 }),
  fc
    .array(fc.constantFrom("word", "a:", "- ", "'", "#x", "1"), { minLength: 20, maxLength: 40 })
    .map((words) => words.join(" ")),
  fc.constantFrom("yes", "Off", "null", "1e3", "0x1f", "1:30", "2001-01-01", ".5", "1_000", "0o7"),
);
/** No key of Kubernetes has several lines, or is longer than a line. */
const key = text.filter((one) => !one.includes("\n") && one.length < 80);
const number = fc.oneof(fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }));
const { map } = fc.letrec((tie) => ({
  node: fc.oneof(
    { depthSize: "small" },
    ...[text, number, fc.boolean(), fc.constant(null)],
    ...[tie("list"), tie("map")],
  ),
  list: fc.array(tie("node"), { maxLength: 3 }),
  map: fc.dictionary(key, tie("node"), { maxKeys: 4, noNullPrototype: true }),
}));

test("documents are written as clusterctl writes them", { skip }, async () => {
  const objects = fc
    .sample(map, { numRuns: 1000, seed: 12 })
    .map((spec) => ({ apiVersion: "v1", kind: "X", metadata: { name: "nest" }, spec }));
  await using folder = await createTemporaryFolder("documents");
  const theirs = await runCommand(await clusterctlProgram(), ["generate", "yaml"], {
    // JSON is YAML, too.
    stdin: objects.map((object) => `${JSON.stringify(object)}\n`).join("---\n"),
    env: {
      HOME: folder.path,
      XDG_CONFIG_HOME: folder.path,
      CLUSTERCTL_DISABLE_VERSIONCHECK: "true",
    },
  });
  const [ours, other] = [formatGoDocuments(objects), theirs].map((all) => all.split("\n---\n"));
  for (const [index, document] of (ours ?? []).entries()) {
    assert.equal(document.trimEnd(), other?.[index]?.trimEnd(), JSON.stringify(objects[index]));
  }
  assert.equal(ours?.length, other?.length);
});
