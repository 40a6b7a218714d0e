import assert from "node:assert/strict";
import { chmod, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import { createTemporaryFolder } from "@rookery/testing";
import { createImagePrograms } from "./image-programs.ts";

/** A machine whose etcd and kube-apiserver only know their versions. */
async function machine() {
  const folder = await createTemporaryFolder("images");
  const program = async (path: string, says: string) => {
    const file = join(folder.path, path);
    await mkdir(join(file, ".."), { recursive: true });
    await writeFile(file, `#!/bin/sh\necho "${says}"\n`);
    await chmod(file, 0o755);
  };
  await program("assets/etcd", "etcd Version: 3.6.8\nGit SHA: x");
  await program("cache/rookery/binaries/v1.33.13-a/kube-apiserver", "Kubernetes v1.33.13");
  await program("cache/rookery/binaries/v1.34.4-b/kube-apiserver", "Kubernetes v1.34.4");
  await program("bin/kube-controller-manager", "nothing that can be read");
  const at = (path: string) => join(folder.path, path);
  const env = {
    KUBEBUILDER_ASSETS: at("assets"),
    XDG_CACHE_HOME: at("cache"),
    PATH: at("bin"),
  };
  const images = (programs: Record<string, string> = {}) =>
    createImagePrograms({ env, programs: () => programs });
  return { at, images, [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]() };
}

describe("an image is a program of this machine", () => {
  it("Rookery's own is this command, whichever registry and tag it has", async () => {
    await using scene = await machine();
    for (const image of ["rookery", "rookery:0.0.0", "host:5000/a/rookery:v1@sha256:00"]) {
      const program = await scene.images().programOf(image);
      assert.deepEqual(program?.entrypoint[0], process.execPath);
      assert.match(program?.entrypoint[1] ?? "", /cli\/src\/main\.ts$/);
      assert.match(program?.id ?? "", /^rookery@sha256:[0-9a-f]{64}$/);
    }
  });

  it("Rookery's own is run by the file that is found for pods, where there is one", async () => {
    const entrypoint = async (main: string | undefined) => {
      const images = createImagePrograms({ env: {}, programs: () => ({}), main: async () => main });
      return (await images.programOf("rookery"))?.entrypoint[1];
    };
    assert.equal(await entrypoint("/bundle/rookery.cjs"), "/bundle/rookery.cjs");
    assert.match((await entrypoint(undefined)) ?? "", /cli\/src\/main\.ts$/);
  });

  it("those of Kubernetes are the binaries of that very version", async () => {
    await using scene = await machine();
    const images = scene.images();
    const path = async (image: string) => (await images.programOf(image))?.entrypoint[0];
    assert.equal(await path("registry.k8s.io/etcd:3.6.8-0"), scene.at("assets/etcd"));
    assert.equal(await path("registry.k8s.io/etcd:3.5.0-0"), undefined);
    const cache = "cache/rookery/binaries";
    const server = "registry.k8s.io/kube-apiserver";
    assert.equal(await path(`${server}:v1.33.13`), scene.at(`${cache}/v1.33.13-a/kube-apiserver`));
    assert.equal(await path(`${server}:v1.34.4`), scene.at(`${cache}/v1.34.4-b/kube-apiserver`));
    assert.equal(await path(server), scene.at(`${cache}/v1.34.4-b/kube-apiserver`));
    assert.equal(await path("registry.k8s.io/kube-controller-manager:v1.34.4"), undefined);
  });

  it("others are what the user says, by a whole name or its last part", async () => {
    await using scene = await machine();
    const images = scene.images({ web: "/bin/web", "example.com/db:2": "/bin/db" });
    assert.deepEqual((await images.programOf("example.com/web:1"))?.entrypoint, ["/bin/web"]);
    assert.deepEqual((await images.programOf("example.com/db:2"))?.entrypoint, ["/bin/db"]);
    assert.equal(await images.programOf("example.com/db:1"), undefined);
    assert.equal(await images.programOf("nginx:latest"), undefined);
    assert.match(
      images.hint,
      /rookery, web, example\.com\/db:2, etcd 3\.6\.8, kube-apiserver 1\.34/,
    );
    assert.match(images.hint, /--image name=\/path\/to\/program/);
  });
});
