import { fileURLToPath } from "node:url";
import { FetchError } from "../errors.ts";
import {
  defaultComponentsFile,
  type ProviderIdentity,
  providerLabel,
} from "../providers/provider.ts";
import { tryParseVersion } from "../versions/semantic-version.ts";

export interface SourceFile {
  readonly componentsFile: string;
  /** Absent for "latest" and for a URL without a version. */
  readonly pinnedVersion?: string | undefined;
}

/** A repository, as a URL names it. */
export type Source =
  | (SourceFile & { readonly type: "github"; readonly owner: string; readonly repository: string })
  | (SourceFile & {
      readonly type: "gitlab";
      readonly origin: string;
      readonly project: string;
      readonly packageName: string;
    })
  | (SourceFile & { readonly type: "https"; readonly fileUrl: string; readonly indexUrl: string })
  | (SourceFile & { readonly type: "folder"; readonly folder: string })
  | (SourceFile & { readonly type: "oci"; readonly registry: string; readonly repository: string });

export type SourceOf<Type extends Source["type"]> = Extract<Source, { readonly type: Type }>;

/** Parses the fetch URL of a provider. Throws FetchError. */
export function parseSource(text: string, provider: ProviderIdentity): Source {
  if (text.startsWith("/")) return folderSource(text, provider);
  const url = URL.parse(text);
  if (!url) return refuse(text, "it is no URL");
  if (url.username || url.password) {
    return refuse(
      describe(url),
      "it holds a user or a password; give them with the provider's variables",
    );
  }
  if (url.protocol === "file:") return folderSource(fileURLToPath(url), provider);
  if (url.protocol === "oci:") return ociSource(url, provider);
  if (url.protocol !== "https:") return refuse(describe(url), "only https, oci and file are taken");
  if (url.host === "github.com") return githubSource(url, provider);
  if (url.pathname.startsWith("/api/v4/projects/")) return gitlabSource(url, provider);
  return httpsSource(url, provider);
}

/** Parses the end of ".../releases": nothing, a version, "download/" before it, a file after it. */
function tail(segments: readonly string[], provider: ProviderIdentity): SourceFile {
  const [first = "latest", second] = segments[0] === "download" ? segments.slice(1) : segments;
  const componentsFile = second ?? defaultComponentsFile(provider.kind);
  return { componentsFile, pinnedVersion: pinned(first) };
}

function githubSource(url: URL, provider: ProviderIdentity): Source {
  const [owner, repository, word, ...rest] = segmentsOf(url);
  if (!owner || !repository || word !== "releases") {
    return refuse(
      describe(url),
      "a GitHub URL is https://github.com/{owner}/{repository}/releases",
    );
  }
  return { type: "github", owner, repository, ...tail(rest, provider) };
}

function gitlabSource(url: URL, provider: ProviderIdentity): Source {
  const [, , , project, packages, generic, packageName, ...rest] = segmentsOf(url);
  if (!project || packages !== "packages" || generic !== "generic" || !packageName) {
    const form = "/api/v4/projects/{project}/packages/generic/{package}/{version}/{file}";
    return refuse(describe(url), `a GitLab URL is https://{host}${form}`);
  }
  return { type: "gitlab", origin: url.origin, project, packageName, ...tail(rest, provider) };
}

/** ".../releases" has the paths of GitHub's releases; any other URL has a folder per version. */
function httpsSource(url: URL, provider: ProviderIdentity): Source {
  const segments = segmentsOf(url);
  const releases = segments.lastIndexOf("releases");
  if (releases >= 0) {
    const base = [url.origin, ...segments.slice(0, releases + 1)].join("/");
    const file = tail(segments.slice(releases + 1), provider);
    return {
      type: "https",
      fileUrl: `${base}/download/{version}/{file}`,
      indexUrl: `${base}/index.json`,
      ...file,
    };
  }
  const [version = "", componentsFile = ""] = segments.slice(-2);
  if (version !== "latest" && !tryParseVersion(version)) {
    return refuse(
      describe(url),
      "it ends neither in /releases nor in /{version}/{components file}",
    );
  }
  const base = [url.origin, ...segments.slice(0, -2)].join("/");
  return {
    type: "https",
    fileUrl: `${base}/{version}/{file}`,
    indexUrl: `${base}/index.json`,
    componentsFile,
    pinnedVersion: pinned(version),
  };
}

function folderSource(path: string, provider: ProviderIdentity): Source {
  const segments = path.split("/");
  const [label, version = "", componentsFile = ""] = segments.slice(-3);
  const form = `{folder}/${providerLabel(provider)}/{version}/{components file}`;
  if (label !== providerLabel(provider)) return refuse(path, `a local path is ${form}`);
  if (version !== "latest" && !tryParseVersion(version)) {
    return refuse(path, `${JSON.stringify(version)} is no version; a local path is ${form}`);
  }
  const folder = segments.slice(0, -2).join("/");
  return { type: "folder", folder, componentsFile, pinnedVersion: pinned(version) };
}

function ociSource(url: URL, provider: ProviderIdentity): Source {
  const [, repository, tag] = /^\/+([^:@]+?)(?::([^:@/]+))?$/.exec(url.pathname) ?? [];
  if (!repository || !url.host) {
    return refuse(describe(url), "an OCI URL is oci://{registry}/{repository}");
  }
  const componentsFile = defaultComponentsFile(provider.kind);
  const registry = `https://${url.host}`;
  return { type: "oci", registry, repository, componentsFile, pinnedVersion: pinned(tag) };
}

function pinned(version: string | undefined): string | undefined {
  return version === "latest" ? undefined : version;
}

/** Without user and query, which may hold secrets. */
function describe({ protocol, host, pathname }: URL): string {
  return `${protocol}//${host}${pathname}`;
}

function segmentsOf(url: URL): string[] {
  return url.pathname.split("/").filter(Boolean);
}

function refuse(target: string, why: string): never {
  throw new FetchError("InvalidFetchConfig", target, why);
}
