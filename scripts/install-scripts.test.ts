import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { root } from "./steps.ts";

const read = (file: string) => readFileSync(join(root, file), "utf8");

describe("the dependencies", () => {
  it("are installed without running their scripts", () => {
    assert.match(read("scripts/setup.mjs"), /\["ci", "--ignore-scripts",/);
  });

  // The bundle's tests show that esbuild works without.
  it("need none: esbuild alone has one, which only saves its command a process", () => {
    const { packages } = JSON.parse(read("package-lock.json")) as {
      readonly packages: Readonly<Record<string, { readonly hasInstallScript?: boolean }>>;
    };
    const having = Object.keys(packages).filter((name) => packages[name]?.hasInstallScript);
    assert.deepEqual(having, ["node_modules/esbuild"]);
  });

  it("are locked with a checksum, each of them", () => {
    const { packages } = JSON.parse(read("package-lock.json")) as {
      readonly packages: Readonly<
        Record<string, { readonly link?: boolean; readonly integrity?: string }>
      >;
    };
    const unlocked = Object.entries(packages).filter(
      ([name, { link, integrity }]) =>
        name.startsWith("node_modules/") && !link && !integrity?.startsWith("sha512-"),
    );
    assert.deepEqual(unlocked, []);
  });

  it("do not keep npm from the scripts that install them", () => {
    assert.doesNotMatch(read(".npmrc"), /^ignore-scripts/m);
  });
});
