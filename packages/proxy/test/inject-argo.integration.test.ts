import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { before, test } from "node:test";
import { createGroupMapping } from "@rookery/group-suffix";
import { injectProxy } from "@rookery/proxy";
import { runCommand } from "@rookery/testing";
import { parseAllDocuments } from "yaml";
import { describeWith, findRolloutsManifests } from "./operators-programs.ts";
import { rookery } from "./operators-world.ts";

const virtual = "argoproj.io";
const realOf = (name: string) => `argoproj.${name}.example.com`;

interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
}

describeWith("the install.yaml of argo-rollouts", await findRolloutsManifests(), (file) => {
  let manifests: readonly unknown[] = [];

  before(async () => {
    const text = await readFile(file, "utf8");
    manifests = parseAllDocuments(text).map((document) => document.toJS());
  });

  function render(name: string) {
    const mapping = createGroupMapping([{ virtual, real: realOf(name), match: "group" }]);
    const options = { instance: name, namespace: name, mapping, image: "rookery:test" };
    const { documents, warnings } = injectProxy(manifests, options);
    return { documents: documents as Manifest[], warnings };
  }

  test("for two instances has no object in common", () => {
    const keyOf = ({ kind, metadata }: Manifest) =>
      `${kind} ${metadata.namespace}/${metadata.name}`;
    const one = render("team1").documents.map(keyOf);
    const other = new Set(render("team2").documents.map(keyOf));
    assert.ok(one.length > 10);
    assert.deepEqual(
      one.filter((key) => other.has(key)),
      [],
    );
  });

  test("names the virtual group only in text for people and to the proxy", () => {
    const { documents, warnings } = render("team1");
    const left = documents.flatMap((document) =>
      textsOf(document).filter(({ text }) => text.includes(virtual)),
    );
    const allowed = left.filter(
      ({ path, text }) =>
        path.endsWith(".description") || text === `--map=${virtual}=${realOf("team1")}`,
    );
    assert.deepEqual(left, allowed);
    assert.deepEqual(warnings, []);
  });

  test("differs from what was given in nothing else", () => {
    const { documents } = render("team1");
    const changed = documents.flatMap((document, index) => {
      const before = new Map(textsOf(manifests[index]).map(({ path, text }) => [path, text]));
      return textsOf(document).filter(({ path, text }) => before.get(path) !== text);
    });
    const expected =
      /^\.metadata\.(name|namespace|labels\.proxy\.rookery\.dev\/instance)$|^\.spec\.group$|^\.rules\.\d+\.apiGroups\.\d+$|^\.(roleRef\.name|subjects\.0\.namespace)$|^\.spec\.template\.spec\.(initContainers\.0|volumes\.\d|containers\.0\.(env|volumeMounts)\.\d)\./;
    assert.deepEqual(
      changed.filter(({ path }) => !expected.test(path)),
      [],
    );
  });

  test("is printed by the command as it is rendered", async () => {
    const { documents } = render("team1");
    const flags = [`--map=${virtual}=${realOf("team1")}`, "--name=team1", "--namespace=team1"];
    const command = [rookery, "proxy", "inject", "-f", file, "--image=rookery:test", ...flags];
    const printed = await runCommand(process.execPath, command);
    const read = parseAllDocuments(printed, { version: "1.1" }).map((document) => document.toJS());
    assert.deepEqual(read, documents);
  });
});

/** Every text of a document, with the way to it. */
function textsOf(node: unknown, path = ""): { readonly path: string; readonly text: string }[] {
  if (typeof node === "string") return [{ path, text: node }];
  if (typeof node !== "object" || node === null) return [];
  return Object.entries(node).flatMap(([key, value]) => textsOf(value, `${path}.${key}`));
}
