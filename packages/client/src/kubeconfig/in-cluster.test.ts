import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { temporaryFiles } from "../../test/temporary-files.ts";
import { inClusterConfig } from "./in-cluster.ts";

const env = { KUBERNETES_SERVICE_HOST: "10.96.0.1", KUBERNETES_SERVICE_PORT: "443" };

describe("inClusterConfig", () => {
  it("takes the service account's files, and reads the token anew later", async () => {
    await using files = await temporaryFiles({ token: "t\n", "ca.crt": "ca\n", namespace: "nest" });
    assert.deepEqual(await inClusterConfig({ env, folder: files.folder }), {
      server: "https://10.96.0.1:443",
      certificateAuthority: { pem: "ca", file: files.path("ca.crt") },
      namespace: "nest",
      user: { tokenFile: files.path("token") },
    });
  });

  it("finds the files where a node says that they are", async () => {
    await using files = await temporaryFiles({ token: "t", namespace: "nest" });
    const told = { ...env, ROOKERY_SERVICE_ACCOUNT_FOLDER: files.folder };
    const config = await inClusterConfig({ env: told });
    assert.deepEqual(config.user, { tokenFile: files.path("token") });
    assert.equal(config.namespace, "nest");
  });

  it("puts an IPv6 address in brackets", async () => {
    await using files = await temporaryFiles({ token: "t" });
    const v6 = { ...env, KUBERNETES_SERVICE_HOST: "fd00::1" };
    const config = await inClusterConfig({ env: v6, folder: files.folder });
    assert.equal(config.server, "https://[fd00::1]:443");
    assert.equal(config.namespace, "default");
  });

  it("prefers POD_NAMESPACE, as client-go does", async () => {
    await using files = await temporaryFiles({ token: "t", namespace: "nest" });
    const named = { ...env, POD_NAMESPACE: "own" };
    const config = await inClusterConfig({ env: named, folder: files.folder });
    assert.equal(config.namespace, "own");
  });

  it("refuses outside of a pod, and without a token", async () => {
    await using files = await temporaryFiles();
    await assert.rejects(inClusterConfig({ env: {} }), /not in a pod: KUBERNETES_SERVICE_HOST/);
    await assert.rejects(
      inClusterConfig({ env, folder: files.folder }),
      /no service account token at \S+token; does it set automountServiceAccountToken: false/,
    );
  });
});
