import { FetchError } from "../errors.ts";
import type { Downloader } from "./downloader.ts";
import { normalizeVersion } from "./repository.ts";

const defaultGoProxy = "https://proxy.golang.org";

/**
 * The Go module proxy that a value of GOPROXY names first; undefined where it says "off" or "direct".
 * clusterctl asks it for versions, because it has no rate limit.
 */
export function goProxyOrigin(setting: string): string | undefined {
  const [first = ""] = setting
    .split(/[,|]/)
    .map((entry) => entry.trim())
    .filter(Boolean);
  if (first === "off" || first === "direct") return undefined;
  if (first === "") return defaultGoProxy;
  const url = URL.parse(first.includes(":/") ? first : `https://${first}`);
  if (url) return url.href.replace(/\/+$/, "");
  const why = "GOPROXY names no URL there";
  throw new FetchError("InvalidFetchConfig", "versions from the Go module proxy", { why });
}

interface ModuleQuery {
  readonly proxy: string;
  readonly module: string;
  readonly signal?: AbortSignal | undefined;
}

/** The versions of a module in all its major versions. Throws FetchError. */
export async function listModuleVersions(
  downloader: Downloader,
  { proxy, module, signal }: ModuleQuery,
): Promise<string[]> {
  const versions: string[] = [];
  for (let major = 1; ; major++) {
    const suffix = major === 1 ? "" : `/v${major}`;
    const list = await readList(
      downloader,
      `${proxy}/${escapeModule(module)}${suffix}/@v/list`,
      signal,
    );
    if (list === undefined) break;
    versions.push(...list.split("\n").flatMap((line) => normalizeVersion(line) ?? []));
  }
  if (versions.length > 0) return versions;
  throw new FetchError("NotFound", `versions of ${module}`, {
    why: "the Go module proxy has none",
  });
}

async function readList(downloader: Downloader, url: string, signal: AbortSignal | undefined) {
  try {
    return await downloader.text({ url, signal });
  } catch (error) {
    if (error instanceof FetchError && error.reason === "NotFound") return undefined;
    throw error;
  }
}

/** Module proxies write capitals as "!" and the small letter. */
function escapeModule(module: string): string {
  return module.replace(/[A-Z]/g, (letter) => `!${letter.toLowerCase()}`);
}
