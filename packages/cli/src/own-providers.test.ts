import assert from "node:assert/strict";
import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import {
  contractOf,
  defaultComponentsFile,
  managerFlags,
  parseComponents,
  parseMetadata,
  providerLabel,
  renderComponents,
  replaceVariables,
} from "@rookery/components";
import packageJson from "../package.json" with { type: "json" };
import { run } from "../test/run.ts";
import { commands } from "./command.ts";
import { ownProviders, releaseVersion } from "./own-providers.ts";

const packages = join(import.meta.dirname, "..", "..");
const names = ownProviders.map(({ name }) => name);
const released = ownProviders.flatMap(({ name, release }) => (release ? [{ name, release }] : []));

describe("the list of Rookery's own providers", () => {
  it("has each package with a manager, and only these", () => {
    const managers = globSync("*/src/run-*.ts", { cwd: packages })
      .filter((file) => /^export async function run\w+\(\n? *args/m.test(text(file)))
      .map((file) => file.split("/")[0] ?? "")
      .filter((name) => name !== "proxy" && name !== "cli");
    assert.deepEqual([...new Set(managers)].toSorted(), names.toSorted());
    for (const name of names)
      assert.ok(Object.hasOwn(packageJson.dependencies, `@rookery/${name}`));
  });

  it("gives each a manager command, an install command and generated manifests", () => {
    const known = commands.map(({ name }) => name);
    for (const { name, release } of ownProviders) {
      assert.ok(known.includes(`manager ${name}`) && known.includes(`install ${name}`), name);
      const files = release ? `${name}/metadata.yaml` : `${name}.yaml`;
      assert.ok(existsSync(join(packages, "..", "deploy", files)), files);
    }
    const derived = known.filter((name) => /^(manager|install) /.test(name));
    assert.equal(derived.length, 2 * names.length);
  });

  it("has all flags of a manager that the operator knows, in the version of the release", async () => {
    for (const { name, release } of released) {
      const { output } = await run(`manager ${name} --help`);
      const taken = [...output.matchAll(/^ *--([a-z-]+)/gm)].map(([, flag]) => flag).sort();
      for (const provider of release.providers) {
        // The operator sets no flags of add-ons.
        if (provider.kind === "AddonProvider") continue;
        const known = managerFlags(providerLabel(provider), releaseVersion);
        assert.ok(known.complete, name);
        assert.deepEqual([...known.names].sort(), taken, name);
      }
    }
  });
});

for (const { name, release } of released) {
  describe(`the release of ${name}`, () => {
    for (const { namespace, ...provider } of release.providers) {
      const file = defaultComponentsFile(provider.kind);

      it(`has ${file}, which can be rendered for any namespace without variables`, async () => {
        const image = "example/rookery:v1";
        const { code, output } = await run(`install ${name} --file ${file} --image ${image}`);
        assert.equal(code, 0);
        const components = parseComponents(replaceVariables(output, () => undefined));
        const namespaces = components.filter(({ kind }) => kind === "Namespace");
        assert.deepEqual(
          namespaces.map(({ metadata }) => metadata.name),
          [namespace],
        );
        const rendering = renderComponents({
          provider,
          version: releaseVersion,
          components,
          namespace: "elsewhere",
          spec: { deployment: { replicas: 2 } },
        });
        assert.deepEqual(rendering.warnings, []);
        assert.deepEqual(rendering.images, [image]);
        const rendered = JSON.stringify(rendering.components);
        assert.match(rendered, /"replicas":2/);
        assert.ok(!rendered.includes(`"namespace":"${namespace}"`));
      });
    }

    it("has metadata with the contract of the version", async () => {
      const { output } = await run(`install ${name} --file metadata.yaml`);
      assert.equal(contractOf(parseMetadata(output), releaseVersion), "v1beta2");
    });

    it("prints the components of its first provider by default", async () => {
      if (name === "concierge") return;
      const file = defaultComponentsFile(release.providers[0].kind);
      const byName = await run(`install ${name} --file ${file}`);
      assert.deepEqual(await run(`install ${name}`), byName);
    });
  });
}

function text(file: string): string {
  return readFileSync(join(packages, file), "utf8");
}
