import type { Command } from "commander";

/** A command is data; its code is imported when it is called, so that the others cost nothing. */
export interface CommandSpec {
  /** One word or more, as typed: "proxy inject". */
  readonly name: string;
  /** What people type as well, in as many words: "get cluster" for "get clusters". */
  readonly aliases?: readonly string[];
  /** Under which heading `rookery --help` lists it. */
  readonly group: CommandGroup;
  readonly summary: string;
  readonly load: () => Promise<CommandModule>;
}

/** In the order of `rookery --help`. */
export const commandGroups = {
  plane: "The management plane",
  clusters: "Clusters and tenants",
  local: "A Kubernetes on this machine",
  manifests: "Manifests, for kubectl apply",
  programs: "What pods run",
  command: "This command",
} as const;

type CommandGroup = keyof typeof commandGroups;

interface CommandModule {
  /**
   * Runs the command with the arguments after its name; `--help` among them is its own to answer.
   * Errors: UsageError where the arguments are wrong; what else is thrown is shown by its message.
   */
  run(args: readonly string[], io: CommandIo): void | Promise<void>;
}

/** What a command may touch of the process that it runs in. */
export interface CommandIo {
  readonly write: (text: string) => void;
  readonly writeError: (text: string) => void;
  /** Past the filter that keeps control characters of others from a terminal: for who moves the cursor. */
  readonly unfiltered?: Pick<CommandIo, "write" | "writeError">;
  readonly readInput: () => Promise<string>;
  /** Asks who sits at the terminal for a line; absent where nobody does. */
  readonly ask?: (question: string) => Promise<string>;
  /** Where somebody reads what is written; absent where a program or a file does. */
  readonly terminal?: Terminal;
  /** Is shown what a command takes, by who wants to know it without running it. */
  readonly onDeclared?: (command: Command) => void;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** May be resized meanwhile. */
export interface Terminal {
  readonly columns: () => number;
}

export const commands: readonly CommandSpec[] = [
  {
    name: "crds",
    group: "manifests",
    summary: "print the CustomResourceDefinitions of every kind that Rookery serves",
    load: () => import("./commands/crds.ts"),
  },
  {
    name: "init",
    group: "plane",
    summary: "make a cluster a management cluster: install the operator, declare providers",
    load: () => import("./commands/init.ts"),
  },
  {
    name: "init list-images",
    group: "plane",
    summary: "print the images that an init would run",
    load: () => import("./commands/init-list-images.ts"),
  },
  {
    name: "delete",
    group: "plane",
    summary: "delete providers, or all of them and the operator",
    load: () => import("./commands/delete.ts"),
  },
  {
    name: "upgrade plan",
    group: "plane",
    summary: "print what could be newer: the operator, and providers by contract",
    load: () => import("./commands/upgrade-plan.ts"),
  },
  {
    name: "upgrade apply",
    group: "plane",
    summary: "upgrade providers as one transaction, which can be resumed",
    load: () => import("./commands/upgrade-apply.ts"),
  },
  {
    name: "upgrade operator",
    group: "plane",
    summary: "bring the operator to the version of this command",
    load: () => import("./commands/upgrade-operator.ts"),
  },
  {
    name: "config repositories",
    group: "plane",
    summary: "print where each provider comes from",
    load: () => import("./commands/config-repositories.ts"),
  },
  {
    name: "proxy",
    group: "programs",
    summary: "stand between an app and the API server: rename its API groups, narrow what it sees",
    load: () => import("./commands/proxy.ts"),
  },
  {
    name: "proxy inject",
    group: "manifests",
    summary: "print the manifests of an app for one instance of several, with the proxy beside it",
    load: () => import("./commands/proxy-inject.ts"),
  },
  {
    name: "manager operator",
    group: "programs",
    summary: "run the operator that installs and upgrades providers of Cluster API",
    load: () => import("./commands/manager-operator.ts"),
  },
  {
    name: "install operator",
    group: "manifests",
    summary: "print the manifests of the provider operator",
    load: () => import("./commands/install-operator.ts"),
  },
  {
    name: "operator rbac",
    group: "manifests",
    summary: "print the smallest roles with which the operator can install some providers",
    load: () => import("./commands/operator-rbac.ts"),
  },
  {
    name: "migrate",
    group: "plane",
    summary: "print what the operator would make of providers that clusterctl has installed",
    load: () => import("./commands/migrate.ts"),
  },
  {
    name: "shards",
    group: "clusters",
    summary:
      "print which instance of a provider watches which namespaces, and what nobody or two watch",
    load: () => import("./commands/shards.ts"),
  },
  {
    name: "move",
    group: "clusters",
    summary: "move clusters and all that belongs to them to another management cluster",
    load: () => import("./commands/move.ts"),
  },
  {
    name: "get providers",
    aliases: ["get provider"],
    group: "plane",
    summary: "list the providers that are declared to the operator, and how they are",
    load: () => import("./commands/get-providers.ts"),
  },
  {
    name: "get clusters",
    aliases: ["get cluster"],
    group: "clusters",
    summary: "list clusters, under any API group",
    load: () => import("./commands/get-clusters.ts"),
  },
  {
    name: "get identities",
    aliases: ["get identity"],
    group: "clusters",
    summary: "list accounts of infrastructure, and the namespaces that may use them",
    load: () => import("./commands/get-identities.ts"),
  },
  {
    name: "get tenants",
    aliases: ["get tenant"],
    group: "clusters",
    summary: "list tenants, and how much of what serves them is their own",
    load: () => import("./commands/get-tenants.ts"),
  },
  {
    name: "get kubeconfig",
    group: "clusters",
    summary: "print the kubeconfig of a cluster's administrator",
    load: () => import("./commands/get-kubeconfig.ts"),
  },
  {
    name: "connect",
    group: "clusters",
    summary: "make a cluster the current context of your kubeconfig",
    load: () => import("./commands/connect.ts"),
  },
  {
    name: "describe cluster",
    aliases: ["describe clusters"],
    group: "clusters",
    summary: "print a cluster and what belongs to it as a tree, with conditions",
    load: () => import("./commands/describe-cluster.ts"),
  },
  {
    name: "generate cluster",
    aliases: ["generate clusters"],
    group: "clusters",
    summary: "print the objects of a new cluster, made from a template",
    load: () => import("./commands/generate-cluster.ts"),
  },
  {
    name: "generate provider",
    group: "manifests",
    summary: "print the components of a provider, with its variables replaced",
    load: () => import("./commands/generate-provider.ts"),
  },
  {
    name: "generate yaml",
    group: "clusters",
    summary: "print YAML with its variables replaced",
    load: () => import("./commands/generate-yaml.ts"),
  },
  {
    name: "manager concierge",
    group: "programs",
    summary: "run the aggregated API that trades tokens for client certificates",
    load: () => import("./commands/manager-concierge.ts"),
  },
  {
    name: "install concierge",
    group: "manifests",
    summary: "print the manifests of a concierge, for any API group suffix",
    load: () => import("./commands/install-concierge.ts"),
  },
  {
    name: "manager vsphere",
    group: "programs",
    summary: "run the vSphere provider, whose clusters have identities of their own",
    load: () => import("./commands/manager-vsphere.ts"),
  },
  {
    name: "install vsphere",
    group: "manifests",
    summary: "print the components, metadata and cluster templates of the vSphere provider",
    load: () => import("./commands/install-vsphere.ts"),
  },
  {
    name: "manager nested",
    group: "programs",
    summary: "run the provider of control planes that are pods of the cluster they are in",
    load: () => import("./commands/manager-nested.ts"),
  },
  {
    name: "install nested",
    group: "manifests",
    summary: "print the components, metadata and cluster template of the nested provider",
    load: () => import("./commands/install-nested.ts"),
  },
  {
    name: "manager core",
    group: "programs",
    summary: "run what the embedded mode needs of Cluster API's core",
    load: () => import("./commands/manager-core.ts"),
  },
  {
    name: "install core",
    group: "manifests",
    summary: "print the components and metadata of the embedded mode's core",
    load: () => import("./commands/install-core.ts"),
  },
  {
    name: "start",
    group: "local",
    summary: "bring up a management plane to try, with a tenant on each rung of the ladder",
    load: () => import("./commands/start.ts"),
  },
  {
    name: "local up",
    group: "local",
    summary: "start a small Kubernetes with a node on this machine, in the background",
    load: () => import("./commands/local-up.ts"),
  },
  {
    name: "local down",
    group: "local",
    summary: "end it with all its pods, and keep its data",
    load: () => import("./commands/local-down.ts"),
  },
  {
    name: "local status",
    group: "local",
    summary: "tell whether it runs, and how its node and pods are",
    load: () => import("./commands/local-status.ts"),
  },
  {
    name: "local reset",
    group: "local",
    summary: "end it and remove its data",
    load: () => import("./commands/local-reset.ts"),
  },
  {
    name: "local serve",
    group: "local",
    summary: "serve its API alone, without a node, in the foreground",
    load: () => import("./commands/local-serve.ts"),
  },
  {
    name: "login",
    group: "clusters",
    summary: "trade a token at a concierge, as a credential plugin of kubectl",
    load: () => import("./commands/login.ts"),
  },
  {
    name: "completion",
    group: "command",
    summary: "print what lets bash, zsh or fish complete commands, flags and names",
    load: () => import("./commands/completion.ts"),
  },
  {
    name: "version",
    group: "command",
    summary: "print the version of this command and of the Node that runs it",
    load: () => import("./commands/version.ts"),
  },
];
