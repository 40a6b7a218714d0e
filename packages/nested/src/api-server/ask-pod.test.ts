import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import { createCertificateAuthority } from "@rookery/pki";
import { askPod } from "./ask-pod.ts";

test("a pod is asked as its kubelet does, whoever has signed its certificate", async () => {
  const authority = await createCertificateAuthority({ commonName: "nobody knows it" });
  const names = { commonName: "pod", dnsNames: ["elsewhere"] };
  const { certificate, key } = await authority.issue({ ...names, usages: ["server"] });
  const asked: string[] = [];
  let status = 500;
  const server = createServer({ cert: certificate, key }, ({ url = "" }, response) => {
    asked.push(url);
    response.writeHead(status).end("etcd failed");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  try {
    assert.equal(await askPod("127.0.0.1", port), false);
    status = 200;
    assert.equal(await askPod("127.0.0.1", port), true);
    assert.deepEqual(asked, ["/readyz", "/readyz"]);
  } finally {
    server.closeAllConnections();
    server.close();
    await once(server, "close");
  }
  assert.equal(await askPod("127.0.0.1", port), false, "nobody is there");
});
