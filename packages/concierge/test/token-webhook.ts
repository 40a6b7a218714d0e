import { collectBody, createHttpServer } from "@rookery/http";
import { createCertificateAuthority } from "@rookery/pki";

/** A webhook on this machine, by TLS, that knows one token. */
export interface TokenWebhook extends AsyncDisposable {
  readonly url: string;
  readonly caData: string;
}

export async function startTokenWebhook(token: string): Promise<TokenWebhook> {
  const authority = await createCertificateAuthority({ commonName: "webhook" });
  const names = { commonName: "webhook", ipAddresses: ["127.0.0.1"] };
  const leaf = await authority.issue({ ...names, usages: ["server"] });
  const server = createHttpServer({
    tls: { cert: leaf.certificate, key: leaf.key },
    handler: async (request) => {
      const bytes = await collectBody(request.body, { limit: 1024 * 1024 });
      const review = JSON.parse(Buffer.from(bytes).toString("utf8"));
      const status =
        review.spec.token === token
          ? { authenticated: true, user: { username: "webhook-user", groups: ["callers"] } }
          : { authenticated: false };
      const headers = { "content-type": "application/json" };
      return { status: 200, headers, body: Buffer.from(JSON.stringify({ ...review, status })) };
    },
    onError: () => {},
  });
  await server.listen({ host: "127.0.0.1", port: 0 });
  return {
    url: `${server.url}/review`,
    caData: Buffer.from(authority.certificate).toString("base64"),
    [Symbol.asyncDispose]: () => server.close({ graceMs: 0 }),
  };
}
