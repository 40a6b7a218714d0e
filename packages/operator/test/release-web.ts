import { createHttpClient, createHttpServer } from "@rookery/http";
import { createCertificateAuthority } from "@rookery/pki";

/** A web that is laid out like GitHub, on a server of this machine. */
export interface ReleaseWeb extends AsyncDisposable {
  /** How to fetch from it, whatever the origin is. */
  readonly downloader: { readonly connect: () => ReturnType<typeof createHttpClient> };
  /** That were asked for. */
  readonly paths: readonly string[];
}

/** Where a file of a release is: the owner with the repository, the version and its name. */
export interface WebFile {
  readonly repository: string;
  readonly version: string;
  readonly name: string;
}

/** Serves what there is of releases. */
export async function startReleaseWeb(
  read: (file: WebFile) => Promise<string | undefined> | string | undefined,
): Promise<ReleaseWeb> {
  const authority = await createCertificateAuthority({ commonName: "release-web" });
  const leaf = await authority.issue({
    commonName: "localhost",
    ipAddresses: ["127.0.0.1"],
    usages: ["server"],
  });
  const paths: string[] = [];
  const server = createHttpServer({
    tls: { cert: leaf.certificate, key: leaf.key },
    onError: () => {},
    handler: async ({ path }) => {
      paths.push(path);
      const [, repository = "", version = "", name = ""] =
        /^\/([^/]+\/[^/]+)\/releases\/download\/([^/]+)\/([^/]+)$/.exec(path) ?? [];
      const text = await read({ repository, version, name });
      if (text === undefined) return { status: 404, headers: {} };
      return { status: 200, headers: {}, body: new TextEncoder().encode(text) };
    },
  });
  await server.listen({ host: "127.0.0.1", port: 0 });
  const tls = { ca: authority.certificate };
  return {
    downloader: { connect: () => createHttpClient({ origin: server.url, tls }) },
    paths,
    [Symbol.asyncDispose]: () => server.close({ graceMs: 0 }),
  };
}
