import { createHttpServer, type HttpRequest, type HttpResponse } from "@rookery/http";
import { type CertificateAuthority, createCertificateAuthority } from "@rookery/pki";
import {
  type ClusterApiProvider,
  clusterApiProviders,
  clusterApiRelease,
  clusterApiVersions,
} from "@rookery/testing";

/** An answer of the release server. */
export type Page = (request: HttpRequest) => HttpResponse | Promise<HttpResponse>;

/** A request that a server got. */
export interface SeenRequest {
  readonly server: "releases" | "storage";
  readonly path: string;
  readonly authorization: string | undefined;
}

/**
 * The releases of Cluster API on a server of this machine, behind a private authority, as on GitHub:
 * files are redirected to another server. `pages` holds what stands in the way, by path.
 */
export interface ReleaseServer extends AsyncDisposable {
  readonly ca: string;
  /** ".../releases" */
  readonly url: string;
  readonly requests: SeenRequest[];
  readonly pages: Map<string, Page>;
}

export const token = "token-of-the-release-server";

export async function startReleaseServer(): Promise<ReleaseServer> {
  const authority = await createCertificateAuthority({ commonName: "release-server" });
  const files = await allFiles();
  const pages = new Map<string, Page>();
  const requests: SeenRequest[] = [];
  const serve = async (server: SeenRequest["server"], answer: Page) => {
    const record: Page = (request) => {
      const authorization = request.headers.authorization?.toString();
      requests.push({ server, path: request.path, authorization });
      return answer(request);
    };
    return listen(authority, record);
  };
  const storage = await serve("storage", ({ path }) => text(files.get(path)));
  const home = await serve("releases", (request) => {
    const page = pages.get(request.path.replace(/^.*\/releases\//, ""));
    if (page) return page(request);
    if (request.headers.authorization !== `Bearer ${token}`) return { status: 401, headers: {} };
    if (request.path.endsWith("/index.json")) return text(JSON.stringify(clusterApiVersions));
    const file = request.path.replace(/^.*\/download/, "");
    const location = `${storage.url}${file}?signature=secret`;
    return files.has(file) ? { status: 302, headers: { location } } : { status: 404, headers: {} };
  });
  return {
    ca: authority.certificate,
    url: `${home.url}/kubernetes-sigs/cluster-api/releases`,
    requests,
    pages,
    [Symbol.asyncDispose]: async () => {
      await Promise.all([storage.close({ graceMs: 0 }), home.close({ graceMs: 0 })]);
    },
  };
}

async function listen(authority: CertificateAuthority, handler: Page) {
  const leaf = await authority.issue({
    commonName: "localhost",
    ipAddresses: ["127.0.0.1"],
    usages: ["server"],
  });
  const tls = { cert: leaf.certificate, key: leaf.key };
  const server = createHttpServer({ handler, tls, onError: () => {} });
  await server.listen({ host: "127.0.0.1", port: 0 });
  return server;
}

async function allFiles(): Promise<ReadonlyMap<string, string>> {
  const files = new Map<string, string>();
  const add = async (provider: ClusterApiProvider, version: string) => {
    const { components, metadata } = await clusterApiRelease(provider, version);
    files.set(`/${version}/${provider.file}`, components);
    files.set(`/${version}/metadata.yaml`, metadata);
  };
  for (const version of clusterApiVersions) {
    for (const provider of clusterApiProviders) await add(provider, version);
  }
  return files;
}

function text(content: string | undefined): HttpResponse {
  if (content === undefined) return { status: 404, headers: {} };
  return { status: 200, headers: {}, body: new TextEncoder().encode(content) };
}
