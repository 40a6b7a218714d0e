import { once } from "node:events";
import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import { createSecureContext, type SecureContext } from "node:tls";
import { type CertificateAuthority, createCertificateAuthority, createKeyPair } from "@rookery/pki";

/** Where all of them are pretended to be. */
const address = "127.0.0.1";
const version = "v1.34.4";

/** The authorities that all tenants share, so that one server can stand for the etcd of each. */
export interface SharedPki {
  readonly ca: CertificateAuthority;
  readonly etcd: CertificateAuthority;
  /** By the suffix of their names: what the Secrets of a tenant hold. */
  readonly secrets: Readonly<Record<string, { "tls.crt": string; "tls.key": string }>>;
}

export async function createSharedPki(): Promise<SharedPki> {
  const [ca, etcd, proxy] = await Promise.all(
    ["ca", "etcd", "proxy"].map((commonName) => createCertificateAuthority({ commonName })),
  );
  if (!ca || !etcd || !proxy) throw new Error("could not make authorities");
  const accounts = await createKeyPair();
  const pair = ({ certificate, key }: CertificateAuthority) => ({
    "tls.crt": certificate,
    "tls.key": key,
  });
  const sa = { "tls.crt": accounts.publicKey, "tls.key": accounts.privateKey };
  return { ca, etcd, secrets: { ca: pair(ca), etcd: pair(etcd), proxy: pair(proxy), sa } };
}

/** What etcd says of its one member, whoever asks: who it is, it is told by name. */
export async function pretendEtcd({ etcd }: SharedPki): Promise<Server> {
  const contexts = new Map<string, Promise<SecureContext>>();
  const contextOf = (name: string) => {
    const known = contexts.get(name) ?? issueContext(etcd, name);
    contexts.set(name, known);
    return known;
  };
  const server = createServer({
    SNICallback: (name, done) => {
      contextOf(name).then((context) => done(null, context), done);
    },
  });
  server.on("request", (request, response) => {
    const host = (request.socket as unknown as { servername?: string }).servername ?? "";
    const member = {
      ID: "1",
      name: host.split(".")[0],
      peerURLs: [`https://${host}:2380`],
      clientURLs: [`https://${host}:2379`],
    };
    request.resume();
    response.setHeader("content-type", "application/json");
    response.end(
      JSON.stringify(request.url === "/health" ? { health: "true" } : { members: [member] }),
    );
  });
  return listen(server, 2379);
}

/** An API server that is ready, and keeps one ConfigMap. */
export async function pretendApiServer({ ca }: SharedPki): Promise<Server> {
  const names = { commonName: "kube-apiserver", ipAddresses: [address] };
  const { certificate: cert, key } = await ca.issue({ ...names, usages: ["server"] });
  let kept: string | undefined;
  const server = createServer({ cert, key }, async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { url = "", method } = request;
    response.setHeader("content-type", "application/json");
    if (url.startsWith("/version")) return response.end(JSON.stringify({ gitVersion: version }));
    if (!url.includes("/configmaps")) return response.end('"ok"');
    if (method !== "GET") kept = Buffer.concat(chunks).toString();
    response.statusCode = kept === undefined ? 404 : method === "POST" ? 201 : 200;
    response.end(kept ?? JSON.stringify({ kind: "Status", code: 404, reason: "NotFound" }));
  });
  return listen(server, 0);
}

export function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}

async function issueContext(authority: CertificateAuthority, name: string): Promise<SecureContext> {
  const issued = await authority.issue({ commonName: name, dnsNames: [name], usages: ["server"] });
  return createSecureContext({ cert: issued.certificate, key: issued.key });
}

async function listen(server: Server, port: number): Promise<Server> {
  server.listen(port, address);
  await once(server, "listening");
  server.unref();
  return server;
}
