import { createHash } from "node:crypto";
import { headerValue } from "@rookery/http";
import { FetchError } from "../errors.ts";
import type { Downloader } from "./downloader.ts";
import { authorizeOci, type OciCredentials } from "./oci-authorization.ts";
import { createRepository, metadataFile, type Repository, readPages } from "./repository.ts";
import type { SourceOf } from "./source-url.ts";

const manifestTypes =
  "application/vnd.oci.image.manifest.v1+json, application/vnd.docker.distribution.manifest.v2+json";
const titleAnnotation = "org.opencontainers.image.title";

export interface OciOptions extends Omit<SourceOf<"oci">, "componentsFile"> {
  /** Names of the components file, of which the first that exists is taken; "{version}" is replaced. */
  readonly componentsFiles: readonly [string, ...string[]];
  readonly credentials: OciCredentials;
}

interface Manifest {
  readonly layers?: readonly {
    readonly digest: string;
    readonly annotations?: Readonly<Record<string, string>>;
  }[];
}

/** Releases as artifacts of an OCI registry: a tag per version, a layer with a title per file. */
export function createOciRepository(downloader: Downloader, options: OciOptions): Repository {
  const { registry, repository, credentials, componentsFiles } = options;
  const base = `${registry}/v2/${repository}`;
  let authorization: Promise<string | undefined> | undefined;
  // One token serves all requests; a failed request for it may be repeated.
  const authorize = (signal: AbortSignal | undefined) => {
    const question = { registry, repository, credentials, signal };
    authorization ??= authorizeOci(downloader, question).catch((error) => {
      authorization = undefined;
      throw error;
    });
    return authorization;
  };
  const request = async (url: string, signal: AbortSignal | undefined) => ({
    url,
    authorization: await authorize(signal),
    signal,
  });
  const readBlob = async (digest: string, signal: AbortSignal | undefined) => {
    const url = `${base}/blobs/${digest}`;
    const { bytes } = await downloader.get(await request(url, signal));
    const [algorithm = "", expected] = digest.split(":");
    const isKnown = algorithm === "sha256" || algorithm === "sha512";
    if (isKnown && createHash(algorithm).update(bytes).digest("hex") === expected) {
      return new TextDecoder().decode(bytes);
    }
    throw new FetchError("DigestMismatch", url, "its content has another digest");
  };
  const readFile = async (version: string, names: readonly string[], signal?: AbortSignal) => {
    const tag = version.replace("+", "_");
    const url = `${base}/manifests/${encodeURIComponent(tag)}`;
    const manifest = { ...(await request(url, signal)), accept: manifestTypes };
    const { value } = await downloader.object<Manifest>(manifest);
    const wanted = names.map((name) => name.replace("{version}", version));
    const layer = wanted
      .map((name) => value.layers?.find((one) => one.annotations?.[titleAnnotation] === name))
      .find((one) => one !== undefined);
    if (layer) return readBlob(layer.digest, signal);
    const why = `the artifact ${registry}/${repository}:${tag} has no layer of that title`;
    throw new FetchError("NotFound", wanted.join(" or "), why);
  };
  const [componentsFile] = componentsFiles;
  return {
    ...createRepository(
      { ...options, componentsFile },
      {
        listVersions: async (signal) => {
          let url = `${base}/tags/list?n=1000`;
          const tags = await readPages(async () => {
            const { value, headers } = await downloader.object<{
              tags?: readonly string[] | null;
            }>(await request(url, signal));
            const next = nextPage(headerValue(headers, "link"), url);
            url = next ?? url;
            return { items: value.tags ?? [], hasMore: next !== undefined };
          });
          // A tag can't have a "+", which is written as "_".
          return tags.map((tag) => tag.replace("_", "+"));
        },
        readFile: (version, name, signal) => readFile(version, [name], signal),
      },
    ),
    files: async (version, signal) => ({
      components: await readFile(version, componentsFiles, signal),
      metadata: await readFile(version, [metadataFile], signal),
    }),
  };
}

function nextPage(link: string | undefined, from: string): string | undefined {
  const [, target] = /<([^>]+)>;\s*rel="?next"?/.exec(link ?? "") ?? [];
  if (target === undefined) return undefined;
  const next = URL.parse(target, from);
  return next?.origin === new URL(from).origin ? next.href : undefined;
}
