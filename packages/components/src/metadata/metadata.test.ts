import assert from "node:assert/strict";
import { test } from "node:test";
import { contractOf, newestSeriesOf, parseMetadata } from "./metadata.ts";

const head = "apiVersion: clusterctl.cluster.x-k8s.io/v1alpha3\n";
const metadata = parseMetadata(`${head}kind: Metadata
releaseSeries:
- {major: 1, minor: 10, contract: v1beta1}
- {major: 1, minor: 9, contract: v1beta1}
- {major: 1, minor: 11, contract: v1beta2}
- {major: 1, contract: v1alpha4}
`);

const contracts: Record<string, string> = {
  "v1.9.0": "v1beta1",
  "v1.10.7": "v1beta1",
  "v1.11.0-rc.1": "v1beta2",
  "v1.0.5": "v1alpha4",
};
for (const [version, contract] of Object.entries(contracts)) {
  test(`${version} has the contract ${contract}`, () => {
    assert.equal(contractOf(metadata, version), contract);
  });
}

test("a version that no series has is refused, and the series are named", () => {
  assert.throws(() => contractOf(metadata, "v2.0.0"), {
    code: "VersionNotInMetadata",
    message: /no release series has v2.0.0 \(there are 1.10, 1.9, 1.11, 1.0\)/,
  });
});

test("the newest series of a contract is found by number", () => {
  assert.deepEqual(newestSeriesOf(metadata, "v1beta1"), {
    major: 1,
    minor: 10,
    contract: "v1beta1",
  });
  assert.equal(newestSeriesOf(metadata, "v1alpha1"), undefined);
});

test("metadata without a kind is read, as clusterctl reads it", () => {
  const series = "releaseSeries: [{major: 1, minor: 2, contract: v1beta1}]\n";
  assert.equal(parseMetadata(`${head}${series}`).releaseSeries.length, 1);
});

const refusals: Record<string, readonly [string, RegExp]> = {
  "an empty file": ["# nothing\n", /it is empty/],
  "broken YAML": ["a: [", /could not read document 1 \(line 1\)/],
  "two documents": ["a: 1\n---\nb: 1\n", /more than one document/],
  "a list": ["- a\n", /it is no object/],
  "another apiVersion": ["apiVersion: v1\n", /its apiVersion is "v1", not clusterctl/],
  "another kind": [`${head}kind: Secret\n`, /its kind is "Secret", not Metadata/],
  "no series": [head, /releaseSeries is empty/],
  "series that are no list": [`${head}releaseSeries: x\n`, /releaseSeries is no list/],
  "a series without a contract": [`${head}releaseSeries: [{major: 1}]\n`, /\[0\] has no contract/],
  "a series without numbers": [
    `${head}releaseSeries: [{major: x, contract: y}]\n`,
    /\[0\] has no n/,
  ],
};
for (const [sentence, [text, message]] of Object.entries(refusals)) {
  test(`${sentence} is refused as metadata`, () => {
    assert.throws(() => parseMetadata(text), { code: "InvalidMetadata", message });
  });
}
