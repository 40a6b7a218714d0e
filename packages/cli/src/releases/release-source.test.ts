import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import type { CommandConfig } from "../config/read-config.ts";
import { ReleaseSources } from "./release-source.ts";
import { shippedFetchConfig, shippedRelease } from "./shipped-release.ts";

const folder = mkdtempSync(join(tmpdir(), "rookery-releases-"));
after(() => rmSync(folder, { recursive: true }));
const aws = { kind: "InfrastructureProvider", name: "aws" } as const;
const file = "infrastructure-components.yaml";

function write(path: string, text: string): void {
  mkdirSync(join(folder, path, ".."), { recursive: true });
  writeFileSync(join(folder, path), text);
}
write(`releases/infrastructure-aws/v1.0.0/${file}`, "components");
write("releases/infrastructure-aws/v1.0.0/metadata.yaml", "metadata");
write("overrides/infrastructure-aws/v1.0.0/metadata.yaml", "other metadata");
write(`overrides/infrastructure-aws/v2.0.0/${file}`, "only here");
write("overrides/infrastructure-aws/v2.0.0/metadata.yaml", "only here, too");

function open(url: string, overrides = "none") {
  const config: CommandConfig = {
    variable: () => undefined,
    providers: [{ ...aws, url }],
    images: {},
    overridesFolder: join(folder, overrides),
  };
  return new ReleaseSources(config, { env: {} }).open(aws);
}
const place = join(folder, "releases/infrastructure-aws/v1.0.0", file);

test("the operator can't fetch a release of this machine", async () => {
  const source = open(place);
  const files = { components: "components", metadata: "metadata" };
  assert.deepEqual(await source.fetch("v1.0.0"), { version: "v1.0.0", ...files, isLocal: true });
  assert.equal(source.fetchConfig, undefined);
});

test("the operator gets the URL of the configuration for any other", () => {
  const url = `https://example.com/aws/latest/${file}`;
  assert.deepEqual(open(url).fetchConfig, { url });
});

test("files of the overrides folder replace others, also of whole releases", async () => {
  const source = open(place, "overrides");
  assert.equal(await source.metadata("v1.0.0"), "other metadata");
  const { components, metadata } = await source.fetch("v1.0.0");
  assert.deepEqual([components, metadata], ["components", "other metadata"]);
  assert.equal((await source.fetch("v2.0.0")).components, "only here");
});

test("a missing release is named", async () => {
  await assert.rejects(open(place).fetch("v3.0.0"), { message: /v3\.0\.0.*not there/ });
});

test("a shipped release has a label that the provider selects", () => {
  const release = { version: "v1.0.0-rc.0", components: "c", metadata: "m", isLocal: true };
  const { metadata, data } = shippedRelease(aws, "aws-system", release);
  const { selector } = shippedFetchConfig(aws);
  assert.equal(metadata.name, "infrastructure-aws-v1.0.0-rc.0");
  assert.partialDeepStrictEqual(metadata.labels, selector?.matchLabels);
  assert.deepEqual(data, { components: "c", metadata: "m" });
});
