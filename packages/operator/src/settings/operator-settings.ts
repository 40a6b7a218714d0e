import { readFile } from "node:fs/promises";
import { proxyFromEnvironment } from "@rookery/client";
import { noSettings, parseClusterctlSettings } from "@rookery/components";
import { mergeOverrides, type OperatorFlagValues } from "../flags.ts";
import type { OperatorOptions } from "../setup.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The settings from the command line, its files and the environment. Flags win over the file, and the
 * environment wins over the file's variables. Errors: SettingsError, errors of reading a file.
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

/** Undefined for a missing file, because its ConfigMap is optional. */
async function readIfThere(path: string): Promise<string | undefined> {
  if (path === "") return undefined;
  return readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw error;
  });
}
