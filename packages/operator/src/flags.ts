import type { ImageOverrides } from "@rookery/components";
import {
  concurrencyFlag,
  type Flag,
  type FlagTable,
  FlagValueError,
  type FlagValues,
  type ProviderFlagValues,
  stringFlag,
} from "@rookery/runtime";

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
export function mergeOverrides(left: ImageOverrides, right: ImageOverrides): ImageOverrides {
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
