import assert from "node:assert/strict";
import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, it } from "node:test";
import { parseUntrustedConfig } from "@rookery/client";
import { silentLogger } from "@rookery/runtime";
import { createTemporaryFolder, FakeClock, type TemporaryFolder, waitFor } from "@rookery/testing";
import { request } from "../../test/handler.ts";
import { type AppFilesOptions, createAppFiles } from "./app-files.ts";

const pem = "-----BEGIN CERTIFICATE-----\nQ0E=\n-----END CERTIFICATE-----\n";

describe("the files of an app", () => {
  let folder: TemporaryFolder;
  let clock: FakeClock;
  beforeEach(async () => {
    folder = await createTemporaryFolder("app-files");
    clock = new FakeClock();
  });
  afterEach(() => folder[Symbol.asyncDispose]());

  const path = (...parts: string[]) => join(folder.path, ...parts);
  const read = (...parts: string[]) => readFile(path(...parts), "utf8");
  const modeOf = async (...parts: string[]) =>
    ((await stat(path(...parts))).mode & 0o777).toString(8);

  /** Runs until it has written everything and waits; stops when it is disposed of. */
  async function written(options: Partial<AppFilesOptions>): Promise<AsyncDisposable> {
    const stopped = new AbortController();
    const files = createAppFiles({
      server: () => "https://127.0.0.1:6443",
      authorities: async () => "CA",
      namespace: "team1",
      logger: silentLogger,
      clock,
      ...options,
    });
    assert.throws(() => files.writtenCheck(request()), /not written yet/);
    const ended = files.start(stopped.signal);
    let isEnded = false;
    void ended
      .catch(() => {})
      .finally(() => {
        isEnded = true;
      });
    await waitFor(() => isEnded || clock.timers === 1, { what: "the files" });
    if (isEnded) await ended;
    await files.writtenCheck(request());
    return {
      [Symbol.asyncDispose]: () => {
        stopped.abort();
        return ended;
      },
    };
  }

  it("are a service account's, which containers of other users may read", async () => {
    const token = { read: async () => "t0" };
    await using _ = await written({ serviceAccountFolder: path("account"), token });
    assert.deepEqual((await readdir(path("account"))).toSorted(), ["ca.crt", "namespace", "token"]);
    assert.equal(await read("account", "token"), "t0");
    assert.equal(await read("account", "ca.crt"), "CA");
    assert.equal(await read("account", "namespace"), "team1");
    assert.equal(await modeOf("account", "token"), "644");
  });

  it("follow a token and an authority that are renewed", async () => {
    let count = 0;
    await using _ = await written({
      serviceAccountFolder: path("account"),
      caFile: path("ca.crt"),
      authorities: async () => `CA${count}`,
      token: { read: async () => `t${count}` },
    });
    count = 1;
    await clock.advance(5_000);
    await waitFor(async () => (await read("account", "token")) === "t1", { what: "the new token" });
    assert.equal(await read("account", "ca.crt"), "CA1");
    assert.equal(await read("ca.crt"), "CA1");
  });

  it("are a kubeconfig that only its owner reads", async () => {
    const token = { read: async () => "t0" };
    await using _ = await written({
      kubeconfig: path("kubeconfig"),
      token,
      authorities: async () => pem,
    });
    assert.equal(await modeOf("kubeconfig"), "600");
    const config = await parseUntrustedConfig(await read("kubeconfig"), {
      source: "the proxy",
      env: {},
    });
    assert.equal(config.server, "https://127.0.0.1:6443");
    assert.equal(config.certificateAuthority?.pem, pem);
    assert.equal(config.namespace, "team1");
    assert.equal(config.user.token, "t0");
  });

  it("are a kubeconfig that reads a token which others renew", async () => {
    const token = { file: "/account/token", read: async () => "t0" };
    await using _ = await written({ kubeconfig: path("kubeconfig"), token });
    const { users } = JSON.parse(await read("kubeconfig"));
    assert.deepEqual(users[0].user, { tokenFile: "/account/token" });
  });

  it("are a kubeconfig without a user where the app brings its own", async () => {
    await using _ = await written({ kubeconfig: path("kubeconfig") });
    assert.deepEqual(JSON.parse(await read("kubeconfig")).users[0].user, {});
  });

  it("are an error where they cannot be written at first", async () => {
    const caFile = path("nowhere", "ca.crt");
    await assert.rejects(written({ caFile }), /could not write .*its folder is not there/);
  });

  it("leave the old ones where they cannot be written later", async () => {
    let isBroken = false;
    await using _ = await written({
      caFile: path("ca.crt"),
      authorities: async () => (isBroken ? Promise.reject(new Error("gone")) : "CA"),
    });
    isBroken = true;
    await clock.advance(5_000);
    await waitFor(() => clock.timers === 1, { what: "the next try" });
    assert.equal(await read("ca.crt"), "CA");
  });
});
