import assert from "node:assert/strict";
import { test } from "node:test";
import { files, open } from "../../test/repositories/open.ts";

const github = "https://github.com/kubernetes-sigs/cluster-api-provider-aws/releases";
const goProxy = "https://proxy.golang.org/github.com/kubernetes-sigs/cluster-api-provider-aws";
const api = "https://api.github.com/repos/kubernetes-sigs/cluster-api-provider-aws/releases";

test("a known provider comes from GitHub: versions by Go's proxy, files by download", async () => {
  const { repository, requests } = open({
    [`${goProxy}/@v/list`]: "v0.6.0\nv0.7.0-rc.0\nnonsense\n",
    [`${goProxy}/v2/@v/list`]: "v2.0.0+incompatible\n",
    [`${github}/download/v0.6.0/infrastructure-components.yaml`]: files.components,
    [`${github}/download/v0.6.0/metadata.yaml`]: files.metadata,
  });
  assert.deepEqual(await repository.versions(), ["v2.0.0", "v0.7.0-rc.0", "v0.6.0"]);
  assert.deepEqual(await repository.files("v0.6.0"), files);
  assert.ok(requests.every(({ authorization }) => authorization === undefined));
});

test("the token goes to GitHub's API, and not on to where its files are", async () => {
  const { repository, requests } = open(
    {
      [`${api}/tags/v0.6.0`]: { body: { assets: [{ id: 7, name: "metadata.yaml" }] } },
      [`${api}/assets/7`]: { status: 302, headers: { location: "https://storage.example/7" } },
      "https://storage.example/7": files.metadata,
    },
    { values: { GITHUB_TOKEN: "t", GOPROXY: "off" } },
  );
  assert.equal(await repository.file("v0.6.0", "metadata.yaml"), files.metadata);
  assert.deepEqual(
    requests.map(({ authorization }) => authorization),
    ["Bearer t", "Bearer t", undefined],
  );
});

test("releases are listed by GitHub's API in pages where there is no Go proxy", async () => {
  const more = { link: `<${api}?page=2>; rel="next", <x>; rel="last"` };
  const { repository } = open(
    {
      [`${api}?per_page=100&page=1`]: {
        headers: more,
        body: [{ tag_name: "v1.0.0" }, { tag_name: "docs" }],
      },
      [`${api}?per_page=100&page=2`]: {
        body: [{ tag_name: "v1.1.0" }, { tag_name: "v2.0.0", draft: true }],
      },
    },
    { values: { GOPROXY: "direct" } },
  );
  assert.deepEqual(await repository.versions(), ["v1.1.0", "v1.0.0"]);
});

test("a Go proxy that fails is stood in for by the API", async () => {
  const { repository } = open(
    {
      "https://mirror.example/go/github.com/kubernetes-sigs/cluster-api-provider-aws/@v/list": {
        status: 500,
      },
      [`${api}?per_page=100&page=1`]: { body: [{ tag_name: "v1.0.0" }] },
    },
    { values: { GOPROXY: "mirror.example/go,direct" } },
  );
  assert.deepEqual(await repository.versions(), ["v1.0.0"]);
});

test("a private release is read by the API after its page was not there", async () => {
  const pages = {
    [`${api}/tags/v1.0.0`]: { body: { assets: [{ id: 1, name: "metadata.yaml" }] } },
    [`${api}/assets/1`]: files.metadata,
  };
  const { repository } = open(pages, { values: { GITHUB_TOKEN: "t" } });
  assert.equal(await repository.file("v1.0.0", "metadata.yaml"), files.metadata);
  await assert.rejects(repository.file("v1.0.0", "x.yaml"), {
    reason: "NotFound",
    message: /the release v1.0.0 of .* has no such file/,
  });
});

test("without a token a page that is not there costs no request of the API", async () => {
  const { repository, requests } = open({});
  await assert.rejects(repository.file("v1.0.0", "metadata.yaml"), { reason: "NotFound" });
  assert.equal(requests.length, 1);
});
