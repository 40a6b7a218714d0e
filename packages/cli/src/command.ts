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
  readonly env: Readonly<Record<string, string | undefined>>;
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
    name: "local serve",
    summary: "serve a small Kubernetes API on this machine, for development and tests",
    load: () => import("./commands/local-serve.ts"),
  },
  {
    name: "login",
    summary: "trade a token at a concierge, as a credential plugin of kubectl",
    load: () => import("./commands/login.ts"),
  },
];
