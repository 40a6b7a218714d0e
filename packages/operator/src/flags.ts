import { readFile } from "node:fs/promises";
import { proxyFromEnvironment } from "@rookery/client";
import { type ImageOverrides, noSettings, parseClusterctlSettings } from "@rookery/components";
import {
  concurrencyFlag,
  type Flag,
  type FlagTable,
  FlagValueError,
  type FlagValues,
  type ProviderFlagValues,
  stringFlag,
} from "@rookery/runtime";
import type { OperatorOptions } from "./setup.ts";

/** With the names of clusterctl's configuration. */
const imageOverrideFlag: Flag<ImageOverrides> = {
  help:
    "A part of images to replace: <component>.<repository|name|tag>=<value>, where the component is " +
    '"all", a provider such as infrastructure-aws, or one of its images, infrastructure-aws/manager.',
  valueName: "override",
  parse: (values) => values.map(readOverride).reduce(mergeOverrides, {}),
};

export const operatorFlags = {
  image: stringFlag({
    default: "",
    help: "The image that this runs from: providers with an apiGroupSuffix run its proxy.",
  }),
  config: stringFlag({
    default: "",
    help: "A file in the form of clusterctl's configuration: its images and variables are used. It need not exist.",
  }),
  "image-override": imageOverrideFlag,
  "fetch-ca-file": stringFlag({
    default: "",
    help: "A file with authorities to trust beside the system's when components are fetched. It need not exist.",
  }),
  "provider-concurrency": concurrencyFlag("provider", 10),
} as const satisfies FlagTable;

export type OperatorFlagValues = ProviderFlagValues & FlagValues<typeof operatorFlags>;

/** The later one of two overrides of the same part wins. */
function mergeOverrides(left: ImageOverrides, right: ImageOverrides): ImageOverrides {
  const merged = new Map(Object.entries(left));
  for (const [key, meta] of Object.entries(right)) merged.set(key, { ...merged.get(key), ...meta });
  return Object.fromEntries(merged);
}

function readOverride(text: string): ImageOverrides {
  const [, component, part, value] = /^(.+)\.(repository|name|tag)=(.+)$/.exec(text) ?? [];
  if (component !== undefined && part !== undefined) return { [component]: { [part]: value } };
  const example = "all.repository=registry.example.com/mirror";
  throw new FlagValueError(text, `it must be <component>.<part>=<value>, such as ${example}`);
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Flags win over the file, the environment over the file's variables. Errors: SettingsError. */
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
