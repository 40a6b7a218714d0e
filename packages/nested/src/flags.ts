import {
  concurrencyFlag,
  type Flag,
  type FlagTable,
  FlagValueError,
  type FlagValues,
  type ParsedFlags,
  type ProviderFlagValues,
  parseProviderFlags,
  stringFlag,
} from "@rookery/runtime";

import { defaultImageRepository, defaultRookeryImage } from "./component/images.ts";
import { type Allowances, allowanceFlags } from "./policy/allowances.ts";

/** The providers of this program, with a Deployment each. */
export const controllerSets = ["infrastructure", "control-plane"] as const;

export type ControllerSet = (typeof controllerSets)[number];

/** The flags of the nested provider, besides those of every provider. */
export const nestedFlags = {
  controllers: controllersFlag(),
  "image-repository": stringFlag({
    default: defaultImageRepository,
    help: "Where the images of etcd, kube-apiserver and kube-controller-manager come from, for components that name none.",
  }),
  "rookery-image": stringFlag({
    default: defaultRookeryImage,
    help: "The image of Rookery, which API servers of the profile light run where they name none.",
  }),
  ...allowanceFlags,
  "webhook-service": stringFlag({
    default: "capn-webhook-service",
    help: "The Service of the webhooks; their certificate and the Secret of it are named after it.",
  }),
  "webhook-configuration": stringFlag({
    default: "capn-validating-webhook-configuration",
    help: "The ValidatingWebhookConfiguration whose authorities are kept up to date.",
  }),
  "nestedcluster-concurrency": concurrencyFlag("NestedCluster", 10),
  "nestedcontrolplane-concurrency": concurrencyFlag("NestedControlPlane", 10),
  "nestedcomponent-concurrency": concurrencyFlag("component", 10),
} as const satisfies FlagTable;

export type NestedFlagValues = ProviderFlagValues & FlagValues<typeof nestedFlags>;

/** Throws a FlagsError that names all problems. */
export function parseNestedFlags(args: readonly string[]): ParsedFlags<NestedFlagValues> {
  return parseProviderFlags(args, nestedFlags);
}

export function allowancesOf(flags: NestedFlagValues): Allowances {
  return {
    images: flags.allowedImages,
    extraArgs: flags.allowedExtraArgs,
    patches: flags.allowedPatches,
    hosts: flags.allowedHosts,
    serviceAnnotations: flags.allowedServiceAnnotations,
  };
}

function controllersFlag(): Flag<readonly ControllerSet[]> {
  return {
    help: `Which controllers to run: ${controllerSets.join(" or ")}; both where absent.`,
    valueName: "strings",
    parse: (values) => {
      const named = values.flatMap((value) => value.split(","));
      return named.length === 0 ? controllerSets : named.map(readControllerSet);
    },
  };
}

function readControllerSet(value: string): ControllerSet {
  const known = controllerSets.find((one) => one === value);
  if (known) return known;
  throw new FlagValueError(value, `it must be ${controllerSets.join(" or ")}`);
}
