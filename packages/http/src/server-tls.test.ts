import assert from "node:assert/strict";
import { X509Certificate } from "node:crypto";
import { once } from "node:events";
import { test } from "node:test";
import { connect, type TLSSocket } from "node:tls";
import { createCertificateAuthority } from "@rookery/pki";
import { clientCertificate, serverCertificate, trustedCa } from "../test/certificates.ts";
import { protocols, startLoopback, startServer, text } from "../test/loopback.ts";
import type { Handler } from "./message.ts";
import { type PeerCertificate, peerKey } from "./peer.ts";

/** Tells what the handler knows of the client's certificate. */
const tellCertificate: Handler = ({ context }) => {
  const certificate = context.get(peerKey)?.certificate;
  const chain = certificate?.chain.map((der) => Buffer.from(der).toString("base64"));
  return { status: 200, headers: {}, body: Buffer.from(JSON.stringify({ ...certificate, chain })) };
};

type Told = Omit<PeerCertificate, "chain"> & { chain?: string[] };

async function strangersCertificate(): Promise<{ cert: string; key: string }> {
  const stranger = await createCertificateAuthority({ commonName: "stranger" });
  const { certificate, key } = await stranger.issue({ commonName: "admin", usages: ["client"] });
  return { cert: certificate, key };
}

/** The certificate that a server shows on a new connection. */
async function shownCertificate(port: number): Promise<string> {
  const socket: TLSSocket = connect({ port, host: "127.0.0.1", ca: await trustedCa() });
  await once(socket, "secureConnect");
  const shown = socket.getPeerX509Certificate()?.toString() ?? "";
  socket.destroy();
  return shown;
}

for (const protocol of protocols) {
  const ask = async (credentials: object): Promise<Told> => {
    const ca = await trustedCa();
    await using loopback = await startLoopback(protocol, tellCertificate, {
      server: { tls: { ...(await serverCertificate()), clientCa: [ca] } },
      client: { tls: { ca, ...credentials } },
    });
    return JSON.parse(await text(await loopback.send()));
  };

  test(`${protocol}: a handler knows the certificate of a client that the authority vouches for`, async () => {
    const credentials = await clientCertificate();
    const { chain, verified, reason } = await ask(credentials);
    assert.equal(chain?.[0], new X509Certificate(credentials.cert).raw.toString("base64"));
    assert.equal(verified, true);
    assert.equal(reason, undefined);
  });

  test(`${protocol}: a stranger's certificate is known as one that nobody vouches for`, async () => {
    const credentials = await strangersCertificate();
    const { chain, verified, reason } = await ask(credentials);
    assert.equal(chain?.[0], new X509Certificate(credentials.cert).raw.toString("base64"));
    assert.equal(verified, false);
    assert.equal(reason, "UNABLE_TO_VERIFY_LEAF_SIGNATURE");
  });

  test(`${protocol}: a certificate for servers does not verify a client`, async () => {
    const { verified, reason } = await ask(await serverCertificate());
    assert.deepEqual([verified, reason], [false, "INVALID_PURPOSE"]);
  });

  test(`${protocol}: a client without a certificate is served, and has none`, async () => {
    assert.deepEqual(await ask({}), {});
  });

  test(`${protocol}: a replaced certificate is for new connections, and open ones go on`, async () => {
    const go = Promise.withResolvers<void>();
    const [first, second] = [await serverCertificate(), await serverCertificate()];
    await using loopback = await startLoopback(
      protocol,
      async () => {
        await go.promise;
        return { status: 200, headers: {}, body: Buffer.from("late") };
      },
      { server: { tls: first } },
    );
    const { port } = loopback.server.address;
    const answer = loopback.send().then(text);
    assert.equal(await shownCertificate(port), first.cert);
    loopback.server.replaceCertificate(second);
    assert.equal(await shownCertificate(port), second.cert);
    go.resolve();
    assert.equal(await answer, "late");
    assert.equal(await text(await loopback.send()), "late");
  });
}

test("a replaced certificate keeps the client authority, or replaces it too", async () => {
  const ca = await trustedCa();
  const tls = { ...(await serverCertificate()), clientCa: ca };
  const client = { tls: { ca, ...(await clientCertificate()) } };
  await using loopback = await startLoopback("HTTP/1.1", tellCertificate, {
    server: { tls },
    client,
  });
  const ask = async (): Promise<Told> => {
    loopback.client.replaceTls(client.tls);
    return JSON.parse(await text(await loopback.send()));
  };
  loopback.server.replaceCertificate(await serverCertificate());
  assert.equal((await ask()).verified, true);
  const stranger = await createCertificateAuthority({ commonName: "stranger" });
  const clientCa = stranger.certificate;
  loopback.server.replaceCertificate({ ...(await serverCertificate()), clientCa });
  assert.equal((await ask()).verified, false);
});

test("a TLS session that a client has kept does not carry an old verdict on its certificate", async () => {
  const ca = await trustedCa();
  const credentials = await clientCertificate();
  const tls = { ...(await serverCertificate()), clientCa: ca };
  await using started = await startServer(tellCertificate, { tls });
  let session: Buffer | undefined;
  const ask = async (): Promise<Told> => {
    const { port } = started.server.address;
    const socket = connect({ port, host: "127.0.0.1", ca, ...credentials, session });
    socket.on("session", (kept) => {
      session = kept;
    });
    await once(socket, "secureConnect");
    assert.equal(socket.isSessionReused(), false);
    socket.write("GET / HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n");
    let received = "";
    for await (const chunk of socket) received += chunk;
    return JSON.parse(received.slice(received.indexOf("{")));
  };
  assert.equal((await ask()).verified, true);
  assert.equal((await ask()).verified, true);
  const stranger = await createCertificateAuthority({ commonName: "stranger" });
  started.server.replaceCertificate({ ...tls, clientCa: stranger.certificate });
  assert.equal((await ask()).verified, false);
});

test("a certificate that is none is refused, and the old one goes on", async () => {
  const tls = await serverCertificate();
  await using started = await startServer(tellCertificate, { tls });
  assert.throws(() => started.server.replaceCertificate({ cert: "none", key: "none" }));
  const other = await serverCertificate();
  assert.throws(() => started.server.replaceCertificate({ cert: tls.cert, key: other.key }));
  assert.equal(await shownCertificate(started.server.address.port), tls.cert);
});

test("a server without TLS has no certificate to replace", async () => {
  await using started = await startServer(tellCertificate);
  assert.throws(() => started.server.replaceCertificate({ cert: "", key: "" }), /without TLS/);
});
