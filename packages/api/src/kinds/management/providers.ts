import { object } from "../../declaration/collections.ts";
import { ageColumn, conditionColumn, textColumn } from "../../declaration/columns.ts";
import { defaulted, optional, required } from "../../declaration/fields.ts";
import { conditions, namespaceNames } from "../../declaration/fragments.ts";
import { defineKind, type ManifestOf, type ObjectOf } from "../../declaration/kind.ts";
import { boolean, enumeration, integer, string } from "../../declaration/scalars.ts";
import { providerSpec } from "./provider-spec.ts";

const watchStatus = object({
  by: required(
    enumeration("flag", "proxy"),
    "How the instance is restricted to its namespaces: by flags of the manager, or by a proxy.",
  ),
  first: required(
    boolean(),
    "Whether it is the first instance, which converts for all, and admits what nobody else does.",
  ),
  rbac: optional(
    enumeration("Cluster", "Namespaced"),
    "Where the account of the instance has its rights. Said for people: the operator does not read it.",
  ),
  namespaces: optional(namespaceNames(), "Only these namespaces are watched."),
  excludedNamespaces: optional(namespaceNames(), "All namespaces but these are watched."),
});

const providerStatus = object({
  contract: optional(
    string(),
    "The contract of Cluster API that the installed version abides by, such as v1beta2.",
  ),
  conditions: optional(conditions(), "The conditions of the provider, one for each type."),
  observedGeneration: optional(
    integer({ format: "int64", minimum: 0 }),
    "The generation of the object that the operator has acted upon.",
  ),
  installedVersion: optional(
    string(),
    "The version whose components are in the cluster; not set while there are none.",
  ),
  watch: optional(
    watchStatus,
    "What the instance watches now; while namespaces move from one instance to another, less than " +
      "spec.watch says.",
  ),
});

/** All provider kinds are the same but for their names. */
function defineProvider<const Name extends string>(kind: Name, shortName: string, what: string) {
  return defineKind({
    group: "management.cluster.x-k8s.io",
    kind,
    plural: `${kind.toLowerCase()}s`,
    shortNames: [shortName],
    categories: ["capi"],
    scope: "Namespaced",
    versions: {
      v1alpha1: {
        doc: `${kind} declares ${what}.`,
        fields: {
          spec: defaulted(providerSpec, {}, "The desired state of the provider."),
          status: optional(providerStatus, "The observed state of the provider."),
        },
        columns: [
          textColumn("Installed", ".status.installedVersion"),
          { ...textColumn("Version", ".spec.version"), priority: 1 },
          { ...textColumn("Contract", ".status.contract"), priority: 1 },
          conditionColumn("Ready", "Ready"),
          conditionColumn("Reason", "Ready", "reason"),
          { ...conditionColumn("Message", "Ready", "message"), priority: 1 },
          ageColumn,
        ],
      },
    },
  });
}

export const coreProvider = defineProvider(
  "CoreProvider",
  "corep",
  "Cluster API itself, which all other providers build on",
);
export const bootstrapProvider = defineProvider(
  "BootstrapProvider",
  "bootp",
  "a provider that turns machines into nodes",
);
export const controlPlaneProvider = defineProvider(
  "ControlPlaneProvider",
  "cpp",
  "a provider of control planes",
);
export const infrastructureProvider = defineProvider(
  "InfrastructureProvider",
  "infrap",
  "a provider of infrastructure",
);
export const addonProvider = defineProvider(
  "AddonProvider",
  "addonp",
  "a provider of add-ons for workload clusters",
);
export const ipamProvider = defineProvider("IPAMProvider", "ipamp", "a provider of IP addresses");
export const runtimeExtensionProvider = defineProvider(
  "RuntimeExtensionProvider",
  "runtimeextp",
  "a runtime extension of Cluster API",
);

/** In the order in which providers are installed and upgraded. */
export const providerKinds = [
  coreProvider,
  bootstrapProvider,
  controlPlaneProvider,
  infrastructureProvider,
  ipamProvider,
  addonProvider,
  runtimeExtensionProvider,
] as const;

/** A provider of any kind, as it is read. */
export type Provider = ObjectOf<(typeof providerKinds)[number]>;

/** A provider of any kind, as it is written. */
export type ProviderManifest = ManifestOf<(typeof providerKinds)[number]>;
