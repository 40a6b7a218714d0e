import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { Client } from "@rookery/client";
import { fetchVariables } from "@rookery/components";
import { builtInResources, isNotFound, type KubeObject } from "@rookery/kube";
import type { CommandIo } from "../command.ts";
import { TemplateError } from "../errors.ts";
import type { ReleaseSources } from "../releases/release-source.ts";

interface Reader {
  readonly io: CommandIo;
  readonly sources: Pick<ReleaseSources, "downloader" | "variable">;
}

/** The text of a file, a URL or, for "-", the standard input. Throws TemplateError and FetchError. */
export async function readSource(from: string, reader: Reader): Promise<string> {
  if (from === "-") return reader.io.readInput();
  const url = /^[a-z][a-z0-9+.-]*:\/\//i.test(from) ? URL.parse(from) : null;
  if (!url) return readLocal(from);
  if (url.protocol === "file:") return readLocal(fileURLToPath(url));
  if (url.protocol !== "https:") {
    throw new TemplateError(`${from} can't be read: only https, files and - are taken`);
  }
  const isGitHub = url.host === "github.com";
  const token = isGitHub ? reader.sources.variable(fetchVariables.githubToken) : undefined;
  const authorization = token ? `Bearer ${token}` : undefined;
  return reader.sources.downloader.text({ url: isGitHub ? plainUrl(url) : url, authorization });
}

/** The URL of the file itself, for a page that shows it. */
function plainUrl(url: URL): URL {
  const [owner, repository, word, ref, ...path] = url.pathname.slice(1).split("/");
  if (word === "blob" && path.length > 0) {
    return new URL(
      `https://raw.githubusercontent.com/${owner}/${repository}/${ref}/${path.join("/")}`,
    );
  }
  if (word === "releases" && ref === "download" && path.length > 1) return url;
  throw new TemplateError(
    `${url} is no file: a file on GitHub is https://github.com/{owner}/{repository}/blob/{branch}/{path}, or ` +
      "https://github.com/{owner}/{repository}/releases/download/{tag}/{file}",
  );
}

async function readLocal(path: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException;
    const whys: Readonly<Record<string, string>> = {
      ENOENT: "there is no such file",
      EISDIR: "it is a folder",
      EACCES: "you may not read it",
    };
    throw new TemplateError(`${path} can't be read: ${whys[code ?? ""] ?? message}`, cause);
  }
}

export interface ConfigMapPlace {
  readonly namespace: string;
  readonly name: string;
  readonly key: string;
}

/** Throws TemplateError. */
export async function readConfigMap(client: Client, place: ConfigMapPlace): Promise<string> {
  const { namespace, name, key } = place;
  type ConfigMap = KubeObject & { readonly data?: Readonly<Record<string, string>> };
  try {
    const { data = {} } = await client
      .resource<ConfigMap>(builtInResources.configMaps)
      .get({ namespace, name });
    const text = data[key];
    if (text !== undefined) return text;
    const keys = Object.keys(data).join(", ") || "none";
    throw new TemplateError(
      `the ConfigMap ${namespace}/${name} has no key "${key}"; its keys are: ${keys}; --from-config-map-key names one`,
    );
  } catch (error) {
    if (!isNotFound(error)) throw error;
    throw new TemplateError(`there is no ConfigMap ${namespace}/${name}`, error);
  }
}
