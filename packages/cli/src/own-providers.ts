import type { ProviderIdentity } from "@rookery/components";
import type { CommandIo } from "./command.ts";

/** The version of all of Rookery's own providers. */
export const releaseVersion = "v0.3.0";

/**
 * One of Rookery's own programs that pods run, most of which are providers of Cluster API. Commands,
 * generated manifests and `rookery start` derive from these entries; packages are imported when used.
 */
export interface OwnProvider {
  /** The last word of "rookery manager" and "rookery install", and the name of the package. */
  readonly name: string;
  readonly manager: ManagerProgram;
  readonly install: InstallCommand;
  /** Absent for a program that is installed from its manifests only. */
  readonly release?: OwnRelease;
}

interface ManagerProgram {
  /** The noun phrase behind "run" in its help. */
  readonly subject: string;
  readonly examples: string;
  readonly load: () => Promise<
    (args: readonly string[], write: CommandIo["write"]) => Promise<void>
  >;
}

interface InstallCommand {
  readonly summary: string;
  /** Of the command that prints files of the release; absent where `commands/` has another one. */
  readonly description?: string;
}

/** The files of a release by their names, each a list of YAML documents with variables in them. */
export type ReleaseFiles = ReadonlyMap<string, readonly object[]>;

export interface OwnRelease {
  /** Each has a components file of its own; `rookery install` prints that of the first by default. */
  readonly providers: readonly [PlacedProvider, ...PlacedProvider[]];
  readonly load: () => Promise<
    (options: { readonly image: string }) => ReleaseFiles | Promise<ReleaseFiles>
  >;
}

export interface PlacedProvider extends ProviderIdentity {
  /** The namespace in its components file. */
  readonly namespace: string;
}

export const ownProviders: readonly OwnProvider[] = [
  {
    name: "operator",
    manager: {
      subject: "the operator that installs and upgrades providers of Cluster API",
      examples: `  rookery manager operator --kubeconfig ./kubeconfig    from this machine, for a cluster elsewhere
  rookery manager operator --leader-elect               one of several replicas`,
      load: async () => (await import("@rookery/operator")).runOperator,
    },
    install: { summary: "print the manifests of the provider operator" },
  },
  {
    name: "concierge",
    manager: {
      subject: "the aggregated API that trades tokens for client certificates",
      examples: `  rookery manager concierge --api-group-suffix team1.example.com    under API groups of its own
  rookery manager concierge --v 4                                   with a log for debugging`,
      load: async () => (await import("@rookery/concierge")).runConcierge,
    },
    install: { summary: "print the manifests of a concierge, for any API group suffix" },
    release: {
      providers: [
        { kind: "AddonProvider", name: "concierge", namespace: "rookery-concierge-system" },
      ],
      load: async () => (await import("@rookery/concierge")).conciergeRelease,
    },
  },
  {
    name: "vsphere",
    manager: {
      subject: "the vSphere provider, whose clusters have identities of their own",
      examples: `  rookery manager vsphere --namespace team-a                      for one namespace only
  rookery manager vsphere --credentials-dir /etc/capv --v 4       with credentials from files`,
      load: async () => (await import("@rookery/vsphere")).runVSphere,
    },
    install: {
      summary: "print the components, metadata and cluster templates of the vSphere provider",
      description:
        "Prints a file of the vSphere provider's release, for clusterctl or a provider operator; " +
        "its variables are not replaced.",
    },
    release: {
      providers: [{ kind: "InfrastructureProvider", name: "vsphere", namespace: "capv-system" }],
      load: async () => (await import("@rookery/vsphere")).vsphereRelease,
    },
  },
  {
    name: "nested",
    manager: {
      subject: "the provider of control planes that are pods of the cluster they are in",
      examples: `  rookery manager nested --controllers control-plane     one of the two providers that it is
  rookery manager nested --namespace team-a --v 4        for one namespace, with a log for debugging`,
      load: async () => (await import("@rookery/nested")).runNested,
    },
    install: {
      summary: "print the components, metadata and cluster template of the nested provider",
      description:
        "Prints a file of the nested control plane provider's release, for clusterctl or a provider " +
        "operator; its variables are not replaced.",
    },
    release: {
      providers: [
        { kind: "ControlPlaneProvider", name: "nested", namespace: "capn-control-plane-system" },
        { kind: "InfrastructureProvider", name: "nested", namespace: "capn-system" },
      ],
      load: async () => (await import("@rookery/nested")).nestedRelease,
    },
  },
  {
    name: "core",
    manager: {
      subject: "what the embedded mode needs of Cluster API's core",
      examples: `  rookery manager core --kubeconfig ./kubeconfig --webhook-port 0    the controllers alone, from this machine
  rookery manager core --namespace team-a,team-b                     for some namespaces only`,
      load: async () => (await import("@rookery/core")).runCore,
    },
    install: {
      summary: "print the components and metadata of the embedded mode's core",
      description:
        "Prints a file of the release of the embedded mode's own core, for clusterctl or a provider " +
        "operator. On a real cluster use the core of Cluster API itself.",
    },
    release: {
      providers: [{ kind: "CoreProvider", name: "rookery-core", namespace: "rookery-core-system" }],
      load: async () => (await import("@rookery/core")).coreRelease,
    },
  },
];

/** The release of one of Rookery's own providers. Throws TypeError for a name without one. */
export function ownRelease(name: string): OwnRelease {
  const release = ownProviders.find((one) => one.name === name)?.release;
  if (!release) throw new TypeError(`could not find the release of ${name}: it has none`);
  return release;
}
