import { readFile } from "node:fs/promises";
import { isIP } from "node:net";
import { clusterApiGroup } from "@rookery/cluster-api";
import {
  createProvider,
  flagsHelp,
  OwnNamespaceError,
  type Provider,
  providerFlags,
  readyWithCaches,
  setupSignalHandler,
} from "@rookery/runtime";
import { mountedCredentials } from "./credentials/mounted-credentials.ts";
import { AuthoritiesFileError } from "./errors.ts";
import { parseVSphereFlags, type VSphereFlagValues, vsphereFlags } from "./flags.ts";
import { managerName } from "./manager-name.ts";
import { setupVSphere, setupVSphereWebhooks, type VSphereOptions } from "./setup.ts";

/** Runs the manager by the flags of the command line. */
export async function main(args: readonly string[], write: (text: string) => void): Promise<void> {
  const flags = parseVSphereFlags(args);
  if (flags.help) return write(`${flagsHelp({ ...providerFlags, ...vsphereFlags })}\n`);
  const provider = await createProvider({
    name: managerName,
    flags,
    apiGroup: { defaultSuffix: clusterApiGroup },
  });
  const ca = await readAuthorities(flags.vcenterCaFile, provider);
  // The sessions are logged out last: until then controllers may use them.
  const options = optionsOf(flags, provider);
  await using _ = await setupVSphere(provider, { ...options, ca });
  const { webhookService: service, webhookConfiguration: configuration } = flags;
  setupVSphereWebhooks(provider, { ...options, service, configuration });
  readyWithCaches(provider);
  await provider.run(setupSignalHandler());
}

function optionsOf(flags: VSphereFlagValues, { ownNamespace }: Provider): VSphereOptions {
  const credentialsNamespace = ownNamespace || flags.credentialsNamespace;
  if (!credentialsNamespace) throw new OwnNamespaceError("the default of --credentials-namespace");
  return {
    credentialsNamespace,
    ...(flags.credentialsNamespace && { formerCredentialsNamespace: flags.credentialsNamespace }),
    ...(ownNamespace && { managerNamespace: ownNamespace }),
    ...(flags.credentialsDir && { own: mountedCredentials(flags.credentialsDir) }),
    vcenterServers: flags.vcenterServer,
    identitiesAnyServer: flags.identitiesAnyServer,
    tenantNetworks: flags.tenantNetwork,
    adoptVirtualMachines: flags.adoptVirtualMachines,
    refusedAddresses: apiServerAddresses(process.env),
    keepAlive: flags.keepAliveDuration,
    clusterConcurrency: flags.vsphereclusterConcurrency,
    machineConcurrency: flags.vspheremachineConcurrency,
    vmConcurrency: flags.vspherevmConcurrency,
  };
}

/** The Service of this Kubernetes' API server, as pods know it. */
function apiServerAddresses({ KUBERNETES_SERVICE_HOST: host = "" }: NodeJS.ProcessEnv): string[] {
  return isIP(host) > 0 ? [host] : [];
}

/** A missing file is an optional mount that is empty; a file without certificates is an error. */
async function readAuthorities(path: string, { logger }: Provider): Promise<string | undefined> {
  if (path === "") return undefined;
  try {
    const text = await readFile(path, "utf8");
    if (text.includes("-----BEGIN CERTIFICATE-----")) return text;
    throw new AuthoritiesFileError(path, "it holds no certificate in PEM");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    logger.info("No authorities of vCenters are given: clusters need a thumbprint", { path });
    return undefined;
  }
}
