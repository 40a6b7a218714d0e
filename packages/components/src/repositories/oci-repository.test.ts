import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import type { FakePage } from "../../test/repositories/fake-web.ts";
import { files, open } from "../../test/repositories/open.ts";

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
