import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import type { ProviderIdentity } from "../providers/provider.ts";
import { lookupIn } from "../variables/variables.ts";
import { type ConfigMap, configMapOf } from "./config-map-repository.ts";
import { type FakePage, fakeWeb } from "./fake-web-fixture.ts";
import { latestVersion } from "./latest-version.ts";
import { type OpenOptions, openRepository } from "./open-repository.ts";

const aws: ProviderIdentity = { kind: "InfrastructureProvider", name: "aws" };
const files = { components: "kind: X\n", metadata: "kind: Metadata\n" };

function open(
  pages: Readonly<Record<string, FakePage>>,
  options: Partial<OpenOptions> & { url?: string; values?: Record<string, string> } = {},
) {
  const { url, values = {}, ...rest } = options;
  const { downloader, requests } = fakeWeb(pages);
  const fetchConfig = url === undefined ? undefined : { url };
  const variables = lookupIn(values);
  const repository = openRepository({ provider: aws, fetchConfig, variables, downloader, ...rest });
  return { repository, requests };
}

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

function ociPages(base: string) {
  const digest = (text: string) => `sha256:${createHash("sha256").update(text).digest("hex")}`;
  const layer = (title: string, text: string) => ({
    digest: digest(text),
    annotations: { "org.opencontainers.image.title": title },
  });
  const needsToken =
    (page: FakePage): FakePage =>
    (request) =>
      request.headers.authorization === "Bearer issued"
        ? typeof page === "function"
          ? page(request)
          : page
        : { status: 401 };
  return {
    [`${base}/v2/`]: {
      status: 401,
      headers: {
        "www-authenticate": 'Bearer realm="https://auth.example/token",service="registry"',
      },
    },
    "https://auth.example/token?service=registry&scope=repository%3Aorg%2Fcapa%3Apull": (request: {
      headers: { authorization?: unknown };
    }) =>
      request.headers.authorization === "Basic dTpw"
        ? { body: { token: "issued" } }
        : { status: 401 },
    [`${base}/v2/org/capa/tags/list?n=1000`]: needsToken({
      headers: { link: '</v2/org/capa/tags/list?n=1000&last=a>; rel="next"' },
      body: { tags: ["v1.0.0", "main"] },
    }),
    [`${base}/v2/org/capa/tags/list?n=1000&last=a`]: needsToken({
      body: { tags: ["v1.1.0_build"] },
    }),
    [`${base}/v2/org/capa/manifests/v1.0.0`]: needsToken({
      body: {
        layers: [
          layer("metadata.yaml", files.metadata),
          layer("infrastructure-components.yaml", files.components),
          layer("bad.yaml", "x"),
        ],
      },
    }),
    [`${base}/v2/org/capa/blobs/${digest(files.metadata)}`]: needsToken(files.metadata),
    [`${base}/v2/org/capa/blobs/${digest(files.components)}`]: needsToken(files.components),
    [`${base}/v2/org/capa/blobs/${digest("x")}`]: needsToken("changed on the way"),
  } as Record<string, FakePage>;
}

test("an OCI artifact is read with a token of the registry's token service", async () => {
  const { repository } = open(ociPages("https://registry.example"), {
    url: "oci://registry.example/org/capa",
    values: { OCI_USERNAME: "u", OCI_PASSWORD: "p" },
  });
  assert.deepEqual(await repository.versions(), ["v1.1.0+build", "v1.0.0"]);
  assert.deepEqual(await repository.files("v1.0.0"), files);
  await assert.rejects(repository.file("v1.0.0", "bad.yaml"), { reason: "DigestMismatch" });
  await assert.rejects(repository.file("v1.0.0", "y.yaml"), { reason: "NotFound" });
});

test("a registry that refuses the credentials is Unauthorized, without telling them", async () => {
  const { repository } = open(ociPages("https://registry.example"), {
    url: "oci://registry.example/org/capa",
    values: { OCI_USERNAME: "u", OCI_PASSWORD: "wrong-password" },
  });
  await assert.rejects(repository.versions(), (error: Error & { reason?: string }) => {
    assert.equal(error.reason, "Unauthorized");
    assert.doesNotMatch(`${error.stack}`, /wrong-password/);
    return true;
  });
});

test("a local folder is laid out as clusterctl's local repositories", async () => {
  const folder = await mkdtemp(join(tmpdir(), "rookery-components-"));
  try {
    const release = join(folder, "infrastructure-aws", "v1.0.0");
    await mkdir(release, { recursive: true });
    await writeFile(join(release, "c.yaml"), files.components);
    await writeFile(join(release, "metadata.yaml"), files.metadata);
    const { repository } = open({}, { url: `file://${folder}/infrastructure-aws/latest/c.yaml` });
    assert.deepEqual(await repository.versions(), ["v1.0.0"]);
    assert.deepEqual(await repository.files("v1.0.0"), files);
    await assert.rejects(repository.files("v2.0.0"), { reason: "NotFound" });
    await assert.rejects(repository.file("v1.0.0", "../v1.0.0/c.yaml"), { reason: "NotFound" });
  } finally {
    await rm(folder, { recursive: true });
  }
});

const selector = { matchLabels: { "provider-components": "aws" } };
const configMap = (name: string, data: ConfigMap["data"], labels = {}): ConfigMap => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name, namespace: "capa-system", labels },
  ...(data && { data }),
});

function openConfigMaps(...configMaps: ConfigMap[]) {
  return open({}, { fetchConfig: { selector }, configMaps: async () => configMaps }).repository;
}

test("ConfigMaps give one version each, by name or by label", async () => {
  const labels = { "provider.cluster.x-k8s.io/version": "v0.4.8" };
  const repository = openConfigMaps(
    configMap("v0.4.9", files),
    configMap("older", files, labels),
    configMap("other", {}),
  );
  assert.deepEqual(await repository.versions(), ["v0.4.9", "v0.4.8"]);
  assert.deepEqual(await repository.files("v0.4.8"), files);
});

test("what is over 1 MiB goes into a ConfigMap compressed, and comes back", async () => {
  const long = { ...files, components: "# padding\n".repeat(200_000) };
  const published = configMapOf({ name: "v1.0.0", namespace: "n" }, { ...long, version: "v1.0.0" });
  assert.equal(published.data?.components, undefined);
  assert.ok(JSON.stringify(published).length < 1_000_000);
  assert.deepEqual(await openConfigMaps(published).files("v1.0.0"), long);
  const plain = configMapOf({ name: "v1.0.0", namespace: "n" }, { ...files, version: "v1.0.0" });
  assert.deepEqual(plain.data, files);
});

const configMapFailures: Record<string, readonly [ConfigMap[], string, RegExp]> = {
  "a version that no ConfigMap has": [[configMap("v0.4.8", files)], "NotFound", /there are v0.4.8/],
  "a version that two ConfigMaps have": [
    [
      configMap("v0.4.9", files),
      configMap("b", files, { "provider.cluster.x-k8s.io/version": "v0.4.9" }),
    ],
    "AmbiguousVersion",
    /v0.4.9, b all hold it; leave one/,
  ],
  "a ConfigMap without metadata": [
    [configMap("v0.4.9", { components: "x" })],
    "NotFound",
    /metadata of ConfigMap capa-system\/v0.4.9: it has no key "metadata"/,
  ],
};
for (const [sentence, [configMaps, reason, message]] of Object.entries(configMapFailures)) {
  test(`${sentence} is ${reason}`, async () => {
    await assert.rejects(openConfigMaps(...configMaps).files("v0.4.9"), { reason, message });
  });
}

const refusedConfigs: Record<
  string,
  readonly [Partial<OpenOptions> & { url?: string }, string, RegExp]
> = {
  "both a URL and a selector": [
    { fetchConfig: { url: github, selector } },
    "InvalidFetchConfig",
    /exactly one/,
  ],
  "neither a URL nor a selector": [{ fetchConfig: {} }, "InvalidFetchConfig", /exactly one/],
  "a name that nobody knows": [
    { provider: { ...aws, name: "myazure" } },
    "UnknownProvider",
    /set spec.fetchConfig/,
  ],
  "text that is no URL": [{ url: "nonsense" }, "InvalidFetchConfig", /it is no URL/],
  http: [{ url: "http://x.example/releases" }, "InvalidFetchConfig", /only https, oci and file/],
  "a password in the URL": [
    { url: "https://u:hidden@x.example/releases" },
    "InvalidFetchConfig",
    /x.example\/releases: it holds a user/,
  ],
  "a GitHub page that is not releases": [
    { url: "https://github.com/a/b/tree/main" },
    "InvalidFetchConfig",
    /\/releases/,
  ],
  "a GitLab page that is no package": [
    { url: "https://g.example/api/v4/projects/1/jobs" },
    "InvalidFetchConfig",
    /generic/,
  ],
  "a server's root": [{ url: "https://x.example/" }, "InvalidFetchConfig", /ends neither in/],
  "a folder of another provider": [
    { url: "/x/infrastructure-gcp/v1.0.0/c.yaml" },
    "InvalidFetchConfig",
    /infrastructure-aws/,
  ],
  "an OCI URL without a repository": [
    { url: "oci://registry.example" },
    "InvalidFetchConfig",
    /oci:\/\/\{registry\}/,
  ],
};
for (const [sentence, [options, reason, message]] of Object.entries(refusedConfigs)) {
  test(`${sentence} is refused as a fetch configuration`, () => {
    assert.throws(
      () => open({}, options),
      (error: Error & { reason?: string }) => {
        assert.equal(error.reason, reason);
        assert.match(error.message, message);
        assert.doesNotMatch(error.message, /hidden/);
        return true;
      },
    );
  });
}

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
