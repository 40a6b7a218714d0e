import assert from "node:assert/strict";
import { test } from "node:test";
import { renewCertificates } from "./certificate-renewal.ts";
import type { LocalPki } from "./local-pki.ts";

test("clients of another authority count before anybody sees the certificate that came with it", async () => {
  const done: string[] = [];
  const { promise: published, resolve } = Promise.withResolvers<void>();
  const leaf = { certificate: "certificate", key: "key" };
  const leaves = { apiserver: leaf, "front-proxy-client": leaf };
  const pki = { leaves, renew: async () => done.length === 0 } as unknown as LocalPki;
  using _ = renewCertificates({
    pki,
    cluster: { reload: async () => void done.push("trust") },
    serving: { replaceCertificate: ({ cert }) => void done.push(`serve ${cert}`) },
    publish: async () => resolve(),
    onError: assert.ifError,
    intervalMs: 1,
  });
  await published;
  assert.deepEqual(done, ["trust", "serve certificate"]);
});
