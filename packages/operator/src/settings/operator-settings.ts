import { readFile } from "node:fs/promises";
import { proxyFromEnvironment } from "@rookery/client";
import { noSettings, parseClusterctlSettings } from "@rookery/components";
import { mergeOverrides, type OperatorFlagValues } from "../flags.ts";
import type { OperatorOptions } from "../setup.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * What the operator is told by its command line, the files that this names, and its environment.
 * What is more special wins: flags over the file, the environment over the file's variables.
 * Errors: SettingsError, and what keeps a file that exists from being read.
 */
export async function readSettings(
  flags: OperatorFlagValues,
  env: Environment,
): Promise<OperatorOptions> {
  const text = await readIfThere(flags.config);
  const file = text === undefined ? noSettings : parseClusterctlSettings(text, flags.config);
  const ca = await readIfThere(flags.fetchCaFile);
  return {
    environment: { ...file.variables, ...env },
    imageOverrides: mergeOverrides(file.imageOverrides, flags.imageOverride),
    sources: file.providers,
    downloader: {
      ...(ca !== undefined && { ca }),
      proxy: (origin) => proxyFromEnvironment(origin, env),
    },
    ...(flags.image && { image: flags.image }),
    concurrency: flags.providerConcurrency,
  };
}

/** Undefined for a file that does not exist: the ConfigMap that holds it need not be there. */
async function readIfThere(path: string): Promise<string | undefined> {
  if (path === "") return undefined;
  return readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw error;
  });
}
