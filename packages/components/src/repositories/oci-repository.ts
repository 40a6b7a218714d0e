import { createHash } from "node:crypto";
import { headerValue } from "@rookery/http";
import { FetchError } from "../errors.ts";
import type { Downloader } from "./downloader.ts";
import { authorizeOci, type OciCredentials } from "./oci-authorization.ts";
import { createRepository, metadataFile, type Repository } from "./repository.ts";

const manifestTypes =
  "application/vnd.oci.image.manifest.v1+json, application/vnd.docker.distribution.manifest.v2+json";
const titleAnnotation = "org.opencontainers.image.title";
const pageLimit = 20;

export interface OciOptions {
  /** Scheme, host and port. */
  readonly registry: string;
  readonly repository: string;
  /** Names of the components file, the first that is there is taken; "{version}" is replaced. */
  readonly componentsFiles: readonly string[];
  readonly pinnedVersion?: string | undefined;
  readonly credentials?: OciCredentials;
}

interface Layer {
  readonly digest: string;
  readonly annotations?: Readonly<Record<string, string>>;
}

interface Manifest {
  readonly layers?: readonly Layer[];
}

/** Releases as artifacts of an OCI registry: a tag per version, a layer with a title per file. */
export function createOciRepository(downloader: Downloader, options: OciOptions): Repository {
  const source = new OciSource(downloader, options);
  const [componentsFile = "components.yaml"] = options.componentsFiles;
  const repository = createRepository({
    componentsFile,
    pinnedVersion: options.pinnedVersion,
    listVersions: (signal) => source.listTags(signal),
    readFile: (version, name, signal) => source.readFile(version, [name], signal),
  });
  return {
    ...repository,
    files: async (version, signal) => ({
      components: await source.readFile(version, options.componentsFiles, signal),
      metadata: await source.readFile(version, [metadataFile], signal),
    }),
  };
}

class OciSource {
  readonly #downloader: Downloader;
  readonly #options: OciOptions;
  readonly #base: string;
  #authorization: Promise<string | undefined> | undefined;

  constructor(downloader: Downloader, options: OciOptions) {
    this.#downloader = downloader;
    this.#options = options;
    this.#base = `${options.registry}/v2/${options.repository}`;
  }

  async listTags(signal: AbortSignal | undefined): Promise<readonly string[]> {
    const tags: string[] = [];
    let url: string | undefined = `${this.#base}/tags/list?n=1000`;
    for (let page = 0; url !== undefined && page < pageLimit; page++) {
      const authorization = await this.#authorize(signal);
      const answer = await this.#downloader.object<{ tags?: readonly string[] | null }>({
        url,
        authorization,
        signal,
      });
      tags.push(...(answer.value.tags ?? []));
      url = nextPage(headerValue(answer.headers, "link"), url);
    }
    // A tag has no "+": it is written as "_".
    return tags.map((tag) => tag.replace("_", "+"));
  }

  async readFile(version: string, names: readonly string[], signal: AbortSignal | undefined) {
    const tag = version.replace("+", "_");
    const authorization = await this.#authorize(signal);
    const url = `${this.#base}/manifests/${encodeURIComponent(tag)}`;
    const { value } = await this.#downloader.object<Manifest>({
      url,
      accept: manifestTypes,
      authorization,
      signal,
    });
    const wanted = names.map((name) => name.replace("{version}", version));
    const layer = wanted
      .map((name) => value.layers?.find((one) => one.annotations?.[titleAnnotation] === name))
      .find((one) => one !== undefined);
    if (layer) return this.#readBlob(layer.digest, signal);
    const artifact = `${this.#options.registry}/${this.#options.repository}:${tag}`;
    const why = `the artifact ${artifact} has no layer of that title`;
    throw new FetchError("NotFound", wanted.join(" or "), { why });
  }

  async #readBlob(digest: string, signal: AbortSignal | undefined): Promise<string> {
    const authorization = await this.#authorize(signal);
    const url = `${this.#base}/blobs/${digest}`;
    const { bytes } = await this.#downloader.get({ url, authorization, signal });
    const [algorithm = "", expected] = digest.split(":");
    const isKnown = algorithm === "sha256" || algorithm === "sha512";
    if (isKnown && createHash(algorithm).update(bytes).digest("hex") === expected) {
      return new TextDecoder().decode(bytes);
    }
    throw new FetchError("DigestMismatch", url, { why: "its content has another digest" });
  }

  /** Once: the token serves all that is read here. */
  #authorize(signal: AbortSignal | undefined): Promise<string | undefined> {
    const { registry, repository, credentials = {} } = this.#options;
    const question = { registry, repository, credentials, signal };
    this.#authorization ??= authorizeOci(this.#downloader, question).catch((error) => {
      // What failed once may be asked for again.
      this.#authorization = undefined;
      throw error;
    });
    return this.#authorization;
  }
}

function nextPage(link: string | undefined, from: string): string | undefined {
  const [, target] = /<([^>]+)>;\s*rel="?next"?/.exec(link ?? "") ?? [];
  if (target === undefined) return undefined;
  const next = URL.parse(target, from);
  return next?.origin === new URL(from).origin ? next.href : undefined;
}
