import {
  concurrencyFlag,
  durationFlag,
  type FlagTable,
  type FlagValues,
  type ParsedFlags,
  type ProviderFlagValues,
  parseProviderFlags,
  stringFlag,
} from "@rookery/runtime";
import { webhookConfigurationName, webhookServiceName } from "./install/names.ts";

/** The flags that the vSphere provider has beside those of every provider. */
export const vsphereFlags = {
  "credentials-namespace": stringFlag({
    default: "",
    help: "Another namespace with Secrets of VSphereClusterIdentities, read where its own has none: what all instances shared before each had its own.",
  }),
  "credentials-dir": stringFlag({
    default: "",
    help: "The folder with username, password and servers of this controller's own account, such as a mounted Secret; without it, every cluster must name an identity.",
  }),
  "vcenter-ca-file": stringFlag({
    default: "",
    help: "The authorities that sign certificates of vCenters, in PEM; without it, clusters must have a thumbprint.",
  }),
  "keep-alive-duration": durationFlag({
    default: "1m",
    help: "How long a session is believed to be alive without asking its vCenter; all clusters of an account ask once.",
  }),
  "webhook-service": stringFlag({
    default: webhookServiceName,
    help: "The Service of the webhooks; their certificate and the Secret of it are named after it.",
  }),
  "webhook-configuration": stringFlag({
    default: webhookConfigurationName,
    help: "The ValidatingWebhookConfiguration whose authorities are kept up to date.",
  }),
  "vspherecluster-concurrency": concurrencyFlag("VSphereCluster", 10),
  "vspheremachine-concurrency": concurrencyFlag("VSphereMachine", 10),
  "vspherevm-concurrency": concurrencyFlag("VSphereVM", 10),
} as const satisfies FlagTable;

export type VSphereFlagValues = ProviderFlagValues & FlagValues<typeof vsphereFlags>;

/** Reads the command line of the provider. Throws a FlagsError that names all problems at once. */
export function parseVSphereFlags(args: readonly string[]): ParsedFlags<VSphereFlagValues> {
  return parseProviderFlags(args, vsphereFlags);
}
