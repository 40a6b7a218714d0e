import assert from "node:assert/strict";
import { test } from "node:test";
import { Command } from "commander";
import {
  flagOf,
  isNamed,
  namedProviders,
  type ProviderFlags,
  providerFlags,
} from "./provider-flags.ts";

const parse = (args: string) =>
  providerFlags(new Command()).parse(args.split(" "), { from: "user" }).opts<ProviderFlags>();

test("flags may be repeated, and hold lists, with and without versions", () => {
  const named = namedProviders(
    parse("-i aws:v2.8.4,docker --infrastructure vsphere --core cluster-api"),
  );
  assert.deepEqual(named, [
    { kind: "CoreProvider", name: "cluster-api" },
    { kind: "InfrastructureProvider", name: "aws", version: "v2.8.4" },
    { kind: "InfrastructureProvider", name: "docker" },
    { kind: "InfrastructureProvider", name: "vsphere" },
  ]);
  assert.deepEqual(named.map(flagOf).slice(0, 2), [
    "--core cluster-api",
    "--infrastructure aws:v2.8.4",
  ]);
});

test("every kind has a flag", () => {
  const args = "--core a -b a -c a -i a --ipam a --addon a --runtime-extension a";
  assert.equal(new Set(namedProviders(parse(args)).map(({ kind }) => kind)).size, 7);
});

test("a dash says that none of a kind is wanted", () => {
  const flags = parse("--bootstrap -");
  assert.deepEqual(namedProviders(flags), []);
  assert.ok(isNamed(flags, "BootstrapProvider"));
  assert.ok(!isNamed(flags, "ControlPlaneProvider"));
});

const wrong: Readonly<Record<string, RegExp>> = {
  "-i aws:": /--infrastructure "aws:" is not name or name:version/,
  "-i aws:2.0.0": /"aws:2\.0\.0" has no version such as v1\.13\.6/,
  "-i aws:v2": /"aws:v2" has no version/,
  "-i a:v1.0.0:b": /is not name or name:version/,
  "-i aws -i aws:v1.0.0": /InfrastructureProvider aws is named twice/,
};
for (const [args, message] of Object.entries(wrong)) {
  test(`"${args}" is refused`, () => {
    assert.throws(() => namedProviders(parse(args)), { code: "Usage", message });
  });
}
