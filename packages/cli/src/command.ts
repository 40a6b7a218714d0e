/** A command is data; its code is imported when it is called, so that the others cost nothing. */
export interface CommandSpec {
  /** One word or more, as typed: "proxy inject". */
  readonly name: string;
  readonly summary: string;
  readonly load: () => Promise<CommandModule>;
}

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
  readonly readInput: () => Promise<string>;
  /** Asks who sits at the terminal for a line; absent where nobody does. */
  readonly ask?: (question: string) => Promise<string>;
  /** Where somebody reads what is written; absent where a program or a file does. */
  readonly terminal?: Terminal;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** May be resized meanwhile. */
export interface Terminal {
  readonly columns: () => number;
}

export const commands: readonly CommandSpec[] = [
  {
    name: "crds",
    summary: "print the CustomResourceDefinitions of every kind that Rookery serves",
    load: () => import("./commands/crds.ts"),
  },
  {
    name: "proxy",
    summary: "stand between an app and the API server: rename its API groups, narrow what it sees",
    load: () => import("./commands/proxy.ts"),
  },
  {
    name: "proxy inject",
    summary: "print the manifests of an app for one instance of several, with the proxy beside it",
    load: () => import("./commands/proxy-inject.ts"),
  },
  {
    name: "manager operator",
    summary: "run the operator that installs and upgrades providers of Cluster API",
    load: () => import("./commands/manager-operator.ts"),
  },
  {
    name: "install operator",
    summary: "print the manifests of the provider operator",
    load: () => import("./commands/install-operator.ts"),
  },
  {
    name: "operator rbac",
    summary: "print the smallest roles with which the operator can install some providers",
    load: () => import("./commands/operator-rbac.ts"),
  },
  {
    name: "operator migration",
    summary: "print what the operator would make of providers that clusterctl has installed",
    load: () => import("./commands/operator-migration.ts"),
  },
  {
    name: "shards",
    summary:
      "print which instance of a provider watches which namespaces, and what nobody or two watch",
    load: () => import("./commands/shards.ts"),
  },
  {
    name: "move",
    summary: "move clusters and all that belongs to them to another management cluster",
    load: () => import("./commands/move.ts"),
  },
  {
    name: "manager concierge",
    summary: "run the aggregated API that trades tokens for client certificates",
    load: () => import("./commands/manager-concierge.ts"),
  },
  {
    name: "install concierge",
    summary: "print the manifests of a concierge, for any API group suffix",
    load: () => import("./commands/install-concierge.ts"),
  },
  {
    name: "manager vsphere",
    summary: "run the vSphere provider, whose clusters have identities of their own",
    load: () => import("./commands/manager-vsphere.ts"),
  },
  {
    name: "install vsphere",
    summary: "print the components, metadata and cluster templates of the vSphere provider",
    load: () => import("./commands/install-vsphere.ts"),
  },
  {
    name: "manager nested",
    summary: "run the provider of control planes that are pods of the cluster they are in",
    load: () => import("./commands/manager-nested.ts"),
  },
  {
    name: "install nested",
    summary: "print the components, metadata and cluster template of the nested provider",
    load: () => import("./commands/install-nested.ts"),
  },
  {
    name: "manager core",
    summary: "run what the embedded mode needs of Cluster API's core",
    load: () => import("./commands/manager-core.ts"),
  },
  {
    name: "install core",
    summary: "print the components and metadata of the embedded mode's core",
    load: () => import("./commands/install-core.ts"),
  },
  {
    name: "local up",
    summary: "start a small Kubernetes with a node on this machine, in the background",
    load: () => import("./commands/local-up.ts"),
  },
  {
    name: "local down",
    summary: "end it with all its pods, and keep its data",
    load: () => import("./commands/local-down.ts"),
  },
  {
    name: "local status",
    summary: "tell whether it runs, and how its node and pods are",
    load: () => import("./commands/local-status.ts"),
  },
  {
    name: "local reset",
    summary: "end it and remove its data",
    load: () => import("./commands/local-reset.ts"),
  },
  {
    name: "local serve",
    summary: "serve its API alone, without a node, in the foreground",
    load: () => import("./commands/local-serve.ts"),
  },
  {
    name: "login",
    summary: "trade a token at a concierge, as a credential plugin of kubectl",
    load: () => import("./commands/login.ts"),
  },
];
