import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { base64, caCertificate } from "../../test/certificates.ts";
import { ConfigError } from "../errors.ts";
import { parseUntrustedConfig } from "./untrusted-config.ts";

function kubeconfig(cluster: object, user: object): string {
  return JSON.stringify({
    "current-context": "c",
    contexts: [{ name: "c", context: { cluster: "k", user: "u", namespace: "n" } }],
    clusters: [{ name: "k", cluster: { server: "https://a:6443", ...cluster } }],
    users: [{ name: "u", user }],
  });
}

const source = "Secret ns/tenant-kubeconfig";

describe("parseUntrustedConfig", () => {
  it("reads a kubeconfig that holds everything itself", async () => {
    const pem = await caCertificate();
    const text = kubeconfig({ "certificate-authority-data": base64(pem) }, { token: "t" });
    assert.deepEqual(await parseUntrustedConfig(text, { source, env: {} }), {
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
    "auth-provider": [{}, { "auth-provider": { name: "gcp" } }],
  };
  for (const [field, [cluster, user]] of Object.entries(refused)) {
    it(`refuses ${field}, which would use what is on this machine`, async () => {
      await assert.rejects(parseUntrustedConfig(kubeconfig(cluster, user), { source }), (error) => {
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

  const elsewhere: Record<string, [field: string, cluster: object]> = {
    "a server without TLS": ["server", { server: "http://10.0.0.1:8080" }],
    "a server without a scheme": ["server", { server: "10.0.0.1:8080" }],
    "a server where clouds hand out the node's credentials": [
      "server",
      { server: "https://169.254.169.254/latest/meta-data" },
    ],
    "that server written as one number": ["server", { server: "https://2852039166" }],
    "that server as IPv6": ["server", { server: "https://[::ffff:169.254.169.254]" }],
    "a server on the node's link": ["server", { server: "https://[fe80::1]:6443" }],
    "the unspecified address": ["server", { server: "https://0.0.0.0:10250" }],
    "a proxy on the node's link": ["proxy-url", { "proxy-url": "http://169.254.169.254" }],
  };
  for (const [what, [field, cluster]] of Object.entries(elsewhere)) {
    it(`refuses ${what}`, async () => {
      await assert.rejects(
        parseUntrustedConfig(kubeconfig(cluster, {}), { source, env: {} }),
        (error) => error instanceof ConfigError && error.field === field,
      );
    });
  }

  it("looks at entries that its context does not name", async () => {
    const config = JSON.parse(kubeconfig({}, { token: "t" }));
    config.users.push({ name: "other", user: { exec } });
    await assert.rejects(parseUntrustedConfig(JSON.stringify(config), { source }), /field exec/);
  });

  it("parses nothing that is too large", async () => {
    const text = `[${"{".repeat(64 * 1024)}`;
    await assert.rejects(parseUntrustedConfig(text, { source }), /larger than 64 KiB; leave out/);
  });

  it("refuses what is no kubeconfig", async () => {
    await assert.rejects(
      parseUntrustedConfig("[", { source }),
      /Secret ns\/tenant-kubeconfig: it is not YAML/,
    );
    await assert.rejects(
      parseUntrustedConfig("", { source }),
      /field current-context .* it has none/,
    );
  });
});
