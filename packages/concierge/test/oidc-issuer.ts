import { createHttpServer, type HttpResponse, type HttpServer } from "@rookery/http";
import { createCertificateAuthority } from "@rookery/pki";
import { type CryptoKey, exportJWK, generateKeyPair, type JWK, SignJWT } from "jose";

interface IssuerKey {
  readonly kid: string;
  readonly privateKey: CryptoKey;
  readonly jwk: JWK;
}

/** An OIDC issuer on this machine, by TLS, with an authority of its own. */
export class OidcIssuer implements AsyncDisposable {
  readonly ca: string;
  readonly #server: HttpServer;
  #key: IssuerKey;
  /** What paths were asked for. */
  readonly asked: string[] = [];

  private constructor(server: HttpServer, parts: { ca: string; key: IssuerKey }) {
    this.#server = server;
    this.ca = parts.ca;
    this.#key = parts.key;
  }

  /** At an address of this machine; for pods, loopback is not one. */
  static async start(host = "127.0.0.1"): Promise<OidcIssuer> {
    const authority = await createCertificateAuthority({ commonName: "issuer" });
    const names = { commonName: "issuer", ipAddresses: [host] };
    const leaf = await authority.issue({ ...names, usages: ["server"] });
    let issuer: OidcIssuer | undefined;
    const server = createHttpServer({
      tls: { cert: leaf.certificate, key: leaf.key },
      handler: ({ path }) => issuer?.answer(path) ?? json(503, {}),
      onError: () => {},
    });
    await server.listen({ host, port: 0 });
    issuer = new OidcIssuer(server, { ca: authority.certificate, key: await createKey("first") });
    return issuer;
  }

  get url(): string {
    return this.#server.url;
  }

  get caData(): string {
    return Buffer.from(this.ca).toString("base64");
  }

  /** Signs with a new key from now on, and forgets the one before. */
  async rotate(kid: string): Promise<void> {
    this.#key = await createKey(kid);
  }

  token(claims: Readonly<Record<string, unknown>>): Promise<string> {
    const { kid, privateKey } = this.#key;
    const now = Math.floor(Date.now() / 1000);
    return new SignJWT({ iss: this.url, iat: now, exp: now + 600, ...claims })
      .setProtectedHeader({ alg: "ES256", kid })
      .sign(privateKey);
  }

  answer(path: string): HttpResponse {
    this.asked.push(path);
    if (path === "/.well-known/openid-configuration") {
      return json(200, { issuer: this.url, jwks_uri: `${this.url}/keys` });
    }
    return path === "/keys" ? json(200, { keys: [this.#key.jwk] }) : json(404, {});
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server.close({ graceMs: 0 });
  }
}

async function createKey(kid: string): Promise<IssuerKey> {
  const { privateKey, publicKey } = await generateKeyPair("ES256", { extractable: true });
  return { kid, privateKey, jwk: { ...(await exportJWK(publicKey)), kid, alg: "ES256" } };
}

function json(status: number, body: object): HttpResponse {
  const headers = { "content-type": "application/json" };
  return { status, headers, body: Buffer.from(JSON.stringify(body)) };
}
