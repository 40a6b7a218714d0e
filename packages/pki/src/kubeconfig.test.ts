import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { createKubeconfig } from "./kubeconfig.ts";

const cluster = {
  clusterName: "tenant",
  server: "https://10.0.0.1:6443",
  certificateAuthority: "CA",
  userName: "tenant-admin",
};

describe("a kubeconfig", () => {
  test("holds a client certificate", () => {
    const credentials = { certificate: "CERT", key: "KEY" };
    assert.deepEqual(createKubeconfig({ ...cluster, credentials }), {
      apiVersion: "v1",
      kind: "Config",
      clusters: [
        {
          name: "tenant",
          cluster: { server: "https://10.0.0.1:6443", "certificate-authority-data": "Q0E=" },
        },
      ],
      users: [
        {
          name: "tenant-admin",
          user: { "client-certificate-data": "Q0VSVA==", "client-key-data": "S0VZ" },
        },
      ],
      contexts: [
        {
          name: "tenant-admin@tenant",
          context: { cluster: "tenant", user: "tenant-admin" },
        },
      ],
      "current-context": "tenant-admin@tenant",
    });
  });

  test("holds a token and the name of a context", () => {
    const kubeconfig = createKubeconfig({
      ...cluster,
      credentials: { token: "t" },
      contextName: "work",
    });
    assert.deepEqual(kubeconfig.users[0]?.user, { token: "t" });
    assert.equal(kubeconfig.contexts[0]?.name, "work");
    assert.equal(kubeconfig["current-context"], "work");
  });
});
