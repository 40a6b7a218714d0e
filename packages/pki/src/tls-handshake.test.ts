import assert from "node:assert/strict";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import * as tls from "node:tls";
import { createCertificateAuthority } from "./certificate-authority.ts";
import type { KeyAlgorithm } from "./keys.ts";

const algorithms: KeyAlgorithm[] = ["ecdsa-p256", "rsa-2048"];

for (const keyAlgorithm of algorithms) {
  test(`TLS works both ways with certificates of ${keyAlgorithm}`, async () => {
    const authority = await createCertificateAuthority({ commonName: "ca", keyAlgorithm });
    const names = { commonName: "server", dnsNames: ["localhost"] };
    const serving = await authority.issue({ ...names, usages: ["server"], keyAlgorithm });
    const user = { commonName: "jane", organizations: ["dev", "ops"] };
    const client = await authority.issue({ ...user, usages: ["client"], keyAlgorithm });
    const peer = await handshake(
      { cert: serving.certificate, key: serving.key, ca: authority.certificate },
      { cert: client.certificate, key: client.key, ca: authority.certificate },
    );
    assert.deepEqual({ ...peer.subject }, { CN: "jane", O: ["dev", "ops"] });
  });
}

/** Connects with mutual TLS and returns what the server has seen of the client. */
async function handshake(
  server: tls.TlsOptions,
  client: tls.ConnectionOptions,
): Promise<tls.PeerCertificate> {
  const listener = tls.createServer({ ...server, requestCert: true, rejectUnauthorized: true });
  listener.listen(0, "127.0.0.1");
  await once(listener, "listening");
  try {
    const { port } = listener.address() as AddressInfo;
    const accepted = once(listener, "secureConnection");
    const socket = tls.connect({ ...client, port, host: "127.0.0.1", servername: "localhost" });
    await once(socket, "secureConnect");
    const [peer] = (await accepted) as [tls.TLSSocket];
    // The client leaves without having read its session tickets, which resets the connection.
    peer.on("error", () => {});
    const certificate = peer.getPeerCertificate();
    socket.destroy();
    return certificate;
  } finally {
    listener.close();
  }
}
