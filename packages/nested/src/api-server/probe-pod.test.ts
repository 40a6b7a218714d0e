import assert from "node:assert/strict";
import { X509Certificate } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:https";
import { type AddressInfo, createServer as createSilentServer } from "node:net";
import { test } from "node:test";
import { createCertificateAuthority } from "@rookery/pki";
import { createEtcdGateway } from "../etcd/gateway.ts";
import { certificateOf, probePod } from "./probe-pod.ts";

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
  const { signal } = new AbortController();
  try {
    assert.equal(await probePod("127.0.0.1", { port, signal }), false);
    status = 200;
    assert.equal(await probePod("127.0.0.1", { port, signal }), true);
    const { fingerprint256 } = new X509Certificate(certificate);
    assert.equal(await certificateOf("127.0.0.1", { port, signal }), fingerprint256);
    assert.deepEqual(asked, ["/readyz", "/readyz"]);
  } finally {
    server.closeAllConnections();
    server.close();
    await once(server, "close");
  }
  assert.equal(await probePod("127.0.0.1", { port, signal }), false, "nobody is there");
});

test("who gives up waits for no pod that is silent", async () => {
  const server = createSilentServer();
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const stop = new AbortController();
  const connected = once(server, "connection");
  const answers = [
    probePod("127.0.0.1", { port, signal: stop.signal }),
    certificateOf("127.0.0.1", { port, signal: stop.signal }),
    askMember(`https://127.0.0.1:${port}`, stop.signal),
  ];
  const [socket] = await connected;
  stop.abort();
  try {
    assert.deepEqual(await Promise.all(answers), [false, undefined, "EtcdRequest"]);
  } finally {
    socket.destroy();
    server.close();
  }
});

async function askMember(origin: string, signal: AbortSignal): Promise<string> {
  await using gateway = createEtcdGateway({ origin, signal });
  return gateway.members().then(
    () => "members",
    ({ code }) => code,
  );
}
