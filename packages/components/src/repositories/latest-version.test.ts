import assert from "node:assert/strict";
import { test } from "node:test";
import type { FakePage } from "../../test/repositories/fake-web.ts";
import { open } from "../../test/repositories/open.ts";
import { latestVersion } from "./latest-version.ts";

const github = "https://github.com/kubernetes-sigs/cluster-api-provider-aws/releases";

function released(versions: Record<string, string | undefined>) {
  const base = "https://m.example/releases";
  const pages: Record<string, FakePage> = {
    [`${base}/index.json`]: { body: Object.keys(versions) },
  };
  for (const [version, metadata] of Object.entries(versions)) {
    if (metadata !== undefined) pages[`${base}/download/${version}/metadata.yaml`] = metadata;
  }
  return open(pages, { url: base }).repository;
}

const series = (list: string) =>
  `apiVersion: clusterctl.cluster.x-k8s.io/v1alpha3\nreleaseSeries: [${list}]\n`;

test("the latest version is the newest release that has metadata", async () => {
  const repository = released({
    "v2.0.0-rc.1": "",
    "v1.10.0": undefined,
    "v1.9.0": "",
    "v1.8.0": "",
  });
  assert.equal(await latestVersion(repository), "v1.9.0");
});

test("a pre-release is the latest version where there is no release", async () => {
  assert.equal(
    await latestVersion(released({ "v1.0.0-alpha.1": "", "v1.0.0-beta.0": "" })),
    "v1.0.0-beta.0",
  );
});

test("the search for the latest version ends after five releases", async () => {
  const versions = Object.fromEntries([9, 8, 7, 6, 5].map((minor) => [`v1.${minor}.0`, undefined]));
  await assert.rejects(latestVersion(released({ ...versions, "v1.4.0": "" })), {
    reason: "NoVersions",
  });
});

test("with a contract the latest version is of its newest series", async () => {
  const metadata = series(
    "{major: 1, minor: 11, contract: v1beta2}, {major: 1, minor: 10, contract: v1beta1}, {major: 1, minor: 9, contract: v1beta1}",
  );
  const repository = released({
    "v1.11.1": metadata,
    "v1.10.2": metadata,
    "v1.10.10": metadata,
    "v1.9.9": metadata,
  });
  assert.equal(await latestVersion(repository), "v1.11.1");
  assert.equal(await latestVersion(repository, { contract: "v1beta1" }), "v1.10.10");
  assert.equal(await latestVersion(repository, { contract: "v1beta2" }), "v1.11.1");
  assert.equal(await latestVersion(repository, { contract: "v1alpha3" }), "v1.11.1");
});

test("a contract whose series has no release here is named", async () => {
  const metadata = series(
    "{major: 2, minor: 0, contract: v1beta2}, {major: 1, minor: 9, contract: v1beta1}",
  );
  await assert.rejects(latestVersion(released({ "v2.0.0": metadata }), { contract: "v1beta1" }), {
    reason: "NoVersions",
    message: /no release of the contract v1beta1, which is that of v1\.9, is there/,
  });
});

test("a version in the URL is the latest version there", async () => {
  const { repository } = open({}, { url: `${github}/v0.5.0/infrastructure-components.yaml` });
  assert.equal(await latestVersion(repository), "v0.5.0");
});

test("a limit while looking for the latest version is told, not passed over", async () => {
  const base = "https://m.example/releases";
  const { repository } = open(
    {
      [`${base}/index.json`]: { body: ["v1.0.0"] },
      [`${base}/download/v1.0.0/metadata.yaml`]: { status: 429 },
    },
    { url: base },
  );
  await assert.rejects(latestVersion(repository), { reason: "RateLimited" });
});
