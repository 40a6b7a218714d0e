import assert from "node:assert/strict";
import { test } from "node:test";
import { files, open } from "../../test/repositories/open.ts";

test("GitLab's generic packages are listed and read with its token", async () => {
  const packages = "https://gitlab.example/api/v4/projects/group%2Fproject/packages";
  const query = "package_type=generic&package_name=capa&per_page=100&page=1";
  const { repository, requests } = open(
    {
      [`${packages}?${query}`]: {
        body: [
          { name: "capa", version: "v1.0.0" },
          { name: "capa-x", version: "v9.0.0" },
        ],
      },
      [`${packages}/generic/capa/v1.0.0/c.yaml`]: files.components,
      [`${packages}/generic/capa/v1.0.0/metadata.yaml`]: files.metadata,
    },
    { url: `${packages}/generic/capa/latest/c.yaml`, values: { GITLAB_ACCESS_TOKEN: "t" } },
  );
  assert.deepEqual(await repository.versions(), ["v1.0.0"]);
  assert.deepEqual(await repository.files("v1.0.0"), files);
  assert.ok(requests.every(({ authorization }) => authorization === "Bearer t"));
});

test("a mirror of GitHub's releases needs a list of versions beside them", async () => {
  const mirror = "https://mirror.example/capa/releases";
  const { repository, requests } = open(
    {
      [`${mirror}/index.json`]: { body: ["v1.0.0", { tag_name: "v1.1.0" }] },
      [`${mirror}/download/v1.1.0/infrastructure-components.yaml`]: files.components,
      [`${mirror}/download/v1.1.0/metadata.yaml`]: files.metadata,
    },
    { url: mirror, values: { FETCH_TOKEN: "t" } },
  );
  assert.deepEqual(await repository.versions(), ["v1.1.0", "v1.0.0"]);
  assert.deepEqual(await repository.files("v1.1.0"), files);
  assert.ok(requests.every(({ authorization }) => authorization === "Bearer t"));
});

test("a folder per version on any server will do, and a list that is not there is explained", async () => {
  const base = "https://files.example/capa";
  const { repository } = open(
    {
      [`${base}/v1.0.0/c.yaml`]: files.components,
      [`${base}/v1.0.0/metadata.yaml`]: files.metadata,
    },
    { url: `${base}/latest/c.yaml` },
  );
  assert.deepEqual(await repository.files("v1.0.0"), files);
  await assert.rejects(repository.versions(), {
    reason: "NoVersions",
    message: /set spec.version/,
  });
});
