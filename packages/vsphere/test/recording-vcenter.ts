import { collectBody, createHttpClient, createHttpServer } from "@rookery/http";
import { createCertificateAuthority, parseCertificate } from "@rookery/pki";
import type { Simulator } from "./vcsim.ts";

/** A vCenter of its own, with its own certificate, that keeps all that is sent to it. */
export interface RecordingVCenter
  extends Pick<Simulator, "server" | "ca" | "thumbprint">,
    AsyncDisposable {
  /** The calls since the beginning, or since they were last forgotten. */
  readonly calls: readonly RecordedCall[];
  forget(): void;
  /** While it is set, every call gets 503 with this page, as from a proxy before a vCenter that is down. */
  unavailablePage: string | undefined;
}

export interface RecordedCall {
  /** "Login", "CloneVM_Task" … */
  readonly method: string;
  readonly body: string;
}

/** Stands before a simulator, so that what it is sent can be looked at, and what it answers changed. */
export async function recordCalls(
  simulator: Simulator,
  rewrite: (answer: string) => string = (answer) => answer,
): Promise<RecordingVCenter> {
  const authority = await createCertificateAuthority({ commonName: "recording" });
  const issued = await authority.issue({
    commonName: "recording",
    ipAddresses: ["127.0.0.1"],
    usages: ["server"],
  });
  const origin = `https://${simulator.server}`;
  const upstream = createHttpClient({ origin, tls: { ca: simulator.ca } });
  const calls: RecordedCall[] = [];
  const server = createHttpServer({
    tls: { cert: issued.certificate, key: issued.key },
    handler: async (request) => {
      const bytes = await collectBody(request.body, { limit: 1 << 24 });
      const body = Buffer.from(bytes).toString();
      calls.push({ method: /<soapenv:Body><(\w+)/.exec(body)?.[1] ?? request.path, body });
      if (vcenter.unavailablePage !== undefined) {
        const body = Buffer.from(vcenter.unavailablePage);
        return { status: 503, headers: { "content-type": "text/html" }, body };
      }
      const answer = await upstream.handler({ ...request, body: bytes });
      const text = Buffer.from(await collectBody(answer.body, { limit: 1 << 24 })).toString();
      const { "content-length": _, ...headers } = answer.headers;
      return { ...answer, headers, body: Buffer.from(rewrite(text)) };
    },
    onError: () => {},
  });
  await server.listen({ host: "127.0.0.1", port: 0 });
  const vcenter: RecordingVCenter = {
    server: `127.0.0.1:${server.address.port}`,
    ca: authority.certificate,
    thumbprint: parseCertificate(issued.certificate).fingerprints.sha1,
    calls,
    unavailablePage: undefined,
    forget: () => void calls.splice(0),
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await upstream.destroy();
    },
  };
  return vcenter;
}
