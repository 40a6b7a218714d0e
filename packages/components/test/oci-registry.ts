import { createHash } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Context, collectBody, createHttpClient, type HttpRequest } from "@rookery/http";
import { createCertificateAuthority } from "@rookery/pki";
import { createTemporaryFolder, startChild, waitFor } from "@rookery/testing";
import { goProgram } from "./go-programs.ts";

/** A registry on this machine, by TLS, with a token service for one user. */
export interface OciRegistry extends AsyncDisposable {
  /** Host and port. */
  readonly host: string;
  readonly ca: string;
  readonly user: { readonly username: string; readonly password: string };
  /** Puts files into an artifact, as `oras push` does. */
  push(repository: string, tag: string, files: Readonly<Record<string, string>>): Promise<void>;
}

export async function startOciRegistry(): Promise<OciRegistry> {
  const program = await goProgram("registry");
  const folder = await createTemporaryFolder("oci-registry");
  const authority = await createCertificateAuthority({ commonName: "oci-registry" });
  const leaf = await authority.issue({
    commonName: "registry",
    ipAddresses: ["127.0.0.1"],
    usages: ["server"],
  });
  const [certificate, key] = [join(folder.path, "tls.crt"), join(folder.path, "tls.key")];
  await writeFile(certificate, leaf.certificate);
  await writeFile(key, leaf.key, { mode: 0o600 });
  const user = { username: "rookery", password: "password-of-the-registry" };
  const child = await startChild({
    name: "registry",
    command: program,
    args: [certificate, key, user.username, user.password],
    log: join(folder.path, "registry.log"),
  });
  const origin = await waitFor(
    async () => /^https:\S+$/m.exec(await readFile(child.log, "utf8").catch(() => ""))?.[0],
    { what: "the registry to tell its address" },
  );
  return {
    host: new URL(origin).host,
    ca: authority.certificate,
    user,
    push: (repository, tag, files) =>
      push({ origin, ca: authority.certificate, repository, tag }, files),
    [Symbol.asyncDispose]: async () => {
      await child.stop();
      await folder[Symbol.asyncDispose]();
    },
  };
}

interface Target {
  readonly origin: string;
  readonly ca: string;
  readonly repository: string;
  readonly tag: string;
}

async function push(target: Target, files: Readonly<Record<string, string>>): Promise<void> {
  await using client = createHttpClient({ origin: target.origin, tls: { ca: target.ca } });
  const send = async (
    request: Pick<HttpRequest, "method" | "path" | "query"> & { body: string; type: string },
  ) => {
    const response = await client.handler({
      ...request,
      body: new TextEncoder().encode(request.body),
      headers: { authorization: "Bearer issued-by-the-registry", "content-type": request.type },
      signal: AbortSignal.timeout(60_000),
      context: Context.empty,
    });
    const said = await collectBody(response.body, { limit: 10_000 });
    if (response.status !== 201) throw new Error(`${response.status}: ${Buffer.from(said)}`);
  };
  const base = `/v2/${target.repository}`;
  const layers = [];
  for (const [title, body] of Object.entries({ ...files, "": "{}" })) {
    const digest = `sha256:${createHash("sha256").update(body).digest("hex")}`;
    await send({
      method: "POST",
      path: `${base}/blobs/uploads/`,
      query: `digest=${digest}`,
      body,
      type: "application/octet-stream",
    });
    layers.push({ mediaType: "application/yaml", digest, size: Buffer.byteLength(body), title });
  }
  const type = "application/vnd.oci.image.manifest.v1+json";
  const manifest = {
    schemaVersion: 2,
    mediaType: type,
    config: { ...layers.at(-1), mediaType: "application/vnd.oci.empty.v1+json", title: undefined },
    layers: layers.slice(0, -1).map(({ title, ...layer }) => ({
      ...layer,
      annotations: { "org.opencontainers.image.title": title },
    })),
  };
  await send({
    method: "PUT",
    path: `${base}/manifests/${target.tag}`,
    query: "",
    body: JSON.stringify(manifest),
    type,
  });
}
