import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { base64, caCertificate } from "../../test/certificates.ts";
import { ConfigError } from "../errors.ts";
import { parseConfig } from "./parse-config.ts";

function kubeconfig(cluster: object, user: object): string {
  return JSON.stringify({
    "current-context": "c",
    contexts: [{ name: "c", context: { cluster: "k", user: "u", namespace: "n" } }],
    clusters: [{ name: "k", cluster: { server: "https://a:6443", ...cluster } }],
    users: [{ name: "u", user }],
  });
}

const source = "Secret ns/tenant-kubeconfig";

describe("parseConfig", () => {
  it("reads a kubeconfig that holds everything itself", async () => {
    const pem = await caCertificate();
    const text = kubeconfig({ "certificate-authority-data": base64(pem) }, { token: "t" });
    assert.deepEqual(await parseConfig(text, { source, env: {} }), {
      server: "https://a:6443",
      certificateAuthority: { pem },
      namespace: "n",
      user: { token: "t" },
      place: { file: source, context: "c", cluster: "k", user: "u" },
    });
  });

  const exec = {
    apiVersion: "client.authentication.k8s.io/v1",
    command: "sh",
    interactiveMode: "Never",
  };
  const refused: Record<string, [cluster: object, user: object]> = {
    "certificate-authority": [{ "certificate-authority": "/etc/shadow" }, {}],
    "client-certificate": [{}, { "client-certificate": "/a" }],
    "client-key": [{}, { "client-key": "/a" }],
    tokenFile: [{}, { tokenFile: "/var/run/secrets/kubernetes.io/serviceaccount/token" }],
    exec: [{}, { exec }],
  };
  for (const [field, [cluster, user]] of Object.entries(refused)) {
    it(`refuses ${field}, which would use what is on this machine`, async () => {
      await assert.rejects(parseConfig(kubeconfig(cluster, user), { source }), (error) => {
        assert(error instanceof ConfigError);
        assert.equal(error.field, field);
        assert.match(
          error.message,
          /in kubeconfig Secret ns\/tenant-kubeconfig: only a kubeconfig/,
        );
        return true;
      });
    });
  }

  it("refuses what is no kubeconfig", async () => {
    await assert.rejects(
      parseConfig("[", { source }),
      /Secret ns\/tenant-kubeconfig: it is not YAML/,
    );
    await assert.rejects(parseConfig("", { source }), /field current-context .* it has none/);
  });
});
