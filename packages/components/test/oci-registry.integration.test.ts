import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import {
  Downloader,
  latestVersion,
  lookupIn,
  openRepository,
  type Repository,
} from "@rookery/components";
import { clusterApiProviders, clusterApiRelease } from "@rookery/testing";
import { withoutGo } from "./go-programs.ts";
import { type OciRegistry, startOciRegistry } from "./oci-registry.ts";

const [core] = clusterApiProviders;

describe("components from a real OCI registry", { skip: await withoutGo() }, () => {
  let registry: OciRegistry;
  let downloader: Downloader;

  before(async () => {
    registry = await startOciRegistry();
    downloader = new Downloader({ ca: registry.ca });
    for (const version of ["v1.13.6", "v1.14.2"]) {
      const { components, metadata } = await clusterApiRelease(core, version);
      const files = { "core-components.yaml": components, "metadata.yaml": metadata };
      await registry.push("capi/core", version, files);
    }
    await registry.push("capi/core", "main", { "notes.txt": "no release" });
  });
  after(async () => {
    await downloader?.[Symbol.asyncDispose]();
    await registry?.[Symbol.asyncDispose]();
  });

  function open(path: string, password = registry.user.password): Repository {
    const values = { OCI_USERNAME: registry.user.username, OCI_PASSWORD: password };
    const fetchConfig = { url: `oci://${registry.host}/${path}` };
    return openRepository({ provider: core, fetchConfig, variables: lookupIn(values), downloader });
  }

  test("versions are tags, and files are layers with a title", async () => {
    const repository = open("capi/core");
    assert.deepEqual(await repository.versions(), ["v1.14.2", "v1.13.6"]);
    assert.equal(await latestVersion(repository), "v1.14.2");
    assert.deepEqual(await repository.files("v1.13.6"), await clusterApiRelease(core, "v1.13.6"));
  });

  test("a tag in the URL is the version", async () => {
    assert.equal(await latestVersion(open("capi/core:v1.13.6")), "v1.13.6");
  });

  test("a version, a file and a repository that are not there are NotFound", async () => {
    const notFound = { reason: "NotFound" };
    await assert.rejects(open("capi/core").files("v9.9.9"), notFound);
    await assert.rejects(open("capi/core").file("v1.13.6", "cluster-template.yaml"), notFound);
    await assert.rejects(open("capi/none").files("v1.13.6"), notFound);
  });

  test("credentials that are wrong are Unauthorized, and may be mended later", async () => {
    await assert.rejects(open("capi/core", "wrong").versions(), { reason: "Unauthorized" });
    assert.equal((await open("capi/core").versions()).length, 2);
  });
});
