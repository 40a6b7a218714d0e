import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { VersionError } from "../errors.ts";
import {
  compareVersions,
  formatVersion,
  parseProviderVersion,
  parseVersion,
  tryParseVersion,
} from "./semantic-version.ts";

const ordered = [
  "v0.9.9",
  "v1.0.0-alpha",
  "v1.0.0-alpha.1",
  "v1.0.0-alpha.beta",
  "v1.0.0-beta",
  "v1.0.0-beta.2",
  "v1.0.0-beta.11",
  "v1.0.0-rc.1",
  "v1.0.0",
  "v1.0.10",
  "v1.10.0",
  "v2.0.0-alpha",
];

test("versions are ordered as semver.org orders them", () => {
  const shuffled = [...ordered].reverse();
  const sorted = shuffled.sort((a, b) => compareVersions(parseVersion(a), parseVersion(b)));
  assert.deepEqual(sorted, ordered);
});

test("build data takes no part in the order", () => {
  assert.equal(compareVersions(parseVersion("v1.0.0+a"), parseVersion("1.0.0+b")), 0);
});

test("what is parsed is formatted the same, with the prefix", () => {
  for (const text of [...ordered, "v1.2.3-rc.0+build.5"]) {
    assert.equal(formatVersion(parseVersion(text)), text);
  }
  assert.equal(formatVersion(parseVersion("1.2.3")), "v1.2.3");
});

test("the order is the same from both sides", () => {
  const version = fc.constantFrom(...ordered).map(parseVersion);
  fc.assert(
    fc.property(version, version, (a, b) => {
      assert.equal(Math.sign(compareVersions(a, b)), -Math.sign(compareVersions(b, a)) || 0);
    }),
  );
});

for (const text of ["", "v1", "v1.2", "v1.2.3.4", "v01.2.3", "v1.2.3-", "v1.2.3-a..b", "latest"]) {
  test(`${JSON.stringify(text)} is no version`, () => {
    assert.equal(tryParseVersion(text), undefined);
    assert.throws(() => parseVersion(text), VersionError);
  });
}

test("a provider's version without the prefix is refused with the way out", () => {
  assert.throws(() => parseProviderVersion("1.2.3"), {
    code: "InvalidVersion",
    message: 'could not read the version "1.2.3": it lacks the "v" prefix; write v1.2.3',
  });
  assert.equal(parseProviderVersion("v1.2.3").minor, 2);
});
