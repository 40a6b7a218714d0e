import type { Command } from "commander";
import { type OwnProvider, ownProviders } from "./own-providers.ts";

/** A command whose code is imported when it is called, so that it costs other commands nothing. */
export interface CommandSpec {
  /** One or more words, as typed: "proxy inject". */
  readonly name: string;
  /** Other spellings with the same number of words: "get cluster" for "get clusters". */
  readonly aliases?: readonly string[];
  /** Its line in `rookery --help`. */
  readonly summary: string;
  readonly load: () => Promise<CommandModule>;
}

export interface CommandModule {
  /**
   * Runs the command with the arguments behind its name; `--help` among them is the command's own to
   * answer. `name` is the whole name, with "rookery". Throws UsageError for wrong arguments; the
   * message of any other error is shown.
   */
  run(args: readonly string[], io: CommandIo, name: string): void | Promise<void>;
}

/** The parts of the process that a command may use. */
export interface CommandIo {
  readonly write: (text: string) => void;
  readonly writeError: (text: string) => void;
  /** The same without the filter for control characters, for commands that move the cursor. */
  readonly unfiltered?: Pick<CommandIo, "write" | "writeError">;
  readonly readInput: () => Promise<string>;
  /** Asks the user for a line; absent without a terminal for input. */
  readonly ask?: (question: string) => Promise<string>;
  /** Absent where the output is a file or a pipe. */
  readonly terminal?: Terminal;
  /** Is called with the flags and arguments of a command before they are parsed. */
  readonly onDeclared?: (command: Command) => void;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** A terminal may be resized at any time. */
export interface Terminal {
  readonly columns: () => number;
}

export interface CommandGroup {
  readonly title: string;
  readonly commands: readonly CommandSpec[];
}

/** Commands that print more than files of a release. */
const installCommands: Readonly<Record<string, CommandSpec["load"]>> = {
  operator: () => import("./commands/install-operator.ts"),
  concierge: () => import("./commands/install-concierge.ts"),
};

/** In the order of `rookery --help`. */
export const commandGroups: readonly CommandGroup[] = [
  group("The management plane", {
    init: {
      summary: "make a cluster a management cluster: install the operator, declare providers",
      load: () => import("./commands/init.ts"),
    },
    "init list-images": {
      summary: "print the images that an init would run",
      load: () => import("./commands/init-list-images.ts"),
    },
    delete: {
      summary: "delete providers, or all of them and the operator",
      load: () => import("./commands/delete.ts"),
    },
    "upgrade plan": {
      summary: "print the upgrades of the operator, and of the providers by contract",
      load: () => import("./commands/upgrade-plan.ts"),
    },
    "upgrade apply": {
      summary: "upgrade providers as one transaction, which can be resumed",
      load: () => import("./commands/upgrade-apply.ts"),
    },
    "upgrade operator": {
      summary: "upgrade the operator to the version of this command",
      load: () => import("./commands/upgrade-operator.ts"),
    },
    "config repositories": {
      summary: "print the repository of each provider",
      load: () => import("./commands/config-repositories.ts"),
    },
    migrate: {
      summary: "print the objects that the operator declares for providers installed by clusterctl",
      load: () => import("./commands/migrate.ts"),
    },
    "get providers": {
      aliases: ["get provider"],
      summary: "list the declared providers and their state",
      load: () => import("./commands/get-providers.ts"),
    },
  }),
  group("Clusters and tenants", {
    shards: {
      summary: "print the namespaces that each instance of a provider watches, gaps and overlaps",
      load: () => import("./commands/shards.ts"),
    },
    move: {
      summary: "move clusters and all objects of theirs to another management cluster",
      load: () => import("./commands/move.ts"),
    },
    "get clusters": {
      aliases: ["get cluster"],
      summary: "list clusters, under any API group",
      load: () => import("./commands/get-clusters.ts"),
    },
    "get identities": {
      aliases: ["get identity"],
      summary: "list accounts of infrastructure, and the namespaces that may use them",
      load: () => import("./commands/get-identities.ts"),
    },
    "get tenants": {
      aliases: ["get tenant"],
      summary: "list tenants, and which parts of the plane are their own",
      load: () => import("./commands/get-tenants.ts"),
    },
    "get kubeconfig": {
      summary: "print the kubeconfig of a cluster's administrator",
      load: () => import("./commands/get-kubeconfig.ts"),
    },
    connect: {
      summary: "make a cluster the current context of your kubeconfig",
      load: () => import("./commands/connect.ts"),
    },
    "describe cluster": {
      aliases: ["describe clusters"],
      summary: "print a cluster and its objects as a tree, with conditions",
      load: () => import("./commands/describe-cluster.ts"),
    },
    "generate cluster": {
      aliases: ["generate clusters"],
      summary: "print the objects of a new cluster, made from a template",
      load: () => import("./commands/generate-cluster.ts"),
    },
    "generate yaml": {
      summary: "print YAML with its variables replaced",
      load: () => import("./commands/generate-yaml.ts"),
    },
    login: {
      summary: "trade a token at a concierge, as a credential plugin of kubectl",
      load: () => import("./commands/login.ts"),
    },
  }),
  group("A Kubernetes on this machine", {
    start: {
      summary: "start a management plane to try, with a tenant on each rung of the ladder",
      load: () => import("./commands/start.ts"),
    },
    "local up": {
      summary: "start a small Kubernetes with a node on this machine, in the background",
      load: () => import("./commands/local-up.ts"),
    },
    "local down": {
      summary: "stop it with all its pods, and keep its data",
      load: () => import("./commands/local-down.ts"),
    },
    "local status": {
      summary: "print whether it runs, and the state of its node and pods",
      load: () => import("./commands/local-status.ts"),
    },
    "local reset": {
      summary: "stop it and remove its data",
      load: () => import("./commands/local-reset.ts"),
    },
    "local serve": {
      summary: "serve its API alone, without a node, in the foreground",
      load: () => import("./commands/local-serve.ts"),
    },
  }),
  group("Manifests, for kubectl apply", {
    crds: {
      summary: "print the CustomResourceDefinitions of every kind that Rookery serves",
      load: () => import("./commands/crds.ts"),
    },
    "proxy inject": {
      summary: "print the manifests of an app for one instance of several, with a proxy sidecar",
      load: () => import("./commands/proxy-inject.ts"),
    },
    "operator rbac": {
      summary: "print the smallest roles with which the operator can install some providers",
      load: () => import("./commands/operator-rbac.ts"),
    },
    "generate provider": {
      summary: "print the components of a provider, with its variables replaced",
      load: () => import("./commands/generate-provider.ts"),
    },
    ...Object.fromEntries(ownProviders.map((one) => [`install ${one.name}`, installSpec(one)])),
  }),
  group("Programs of pods", {
    proxy: {
      summary: "proxy the requests of an app: rename its API groups, limit its namespaces",
      load: () => import("./commands/proxy.ts"),
    },
    ...Object.fromEntries(ownProviders.map((one) => [`manager ${one.name}`, managerSpec(one)])),
  }),
  group("This command", {
    completion: {
      summary: "print a script by which bash, zsh or fish complete commands, flags and names",
      load: () => import("./commands/completion.ts"),
    },
    version: {
      summary: "print the version of this command and of the Node that runs it",
      load: () => import("./commands/version.ts"),
    },
  }),
];

export const commands: readonly CommandSpec[] = commandGroups.flatMap((one) => one.commands);

type UnnamedSpec = Omit<CommandSpec, "name">;

function group(title: string, specs: Readonly<Record<string, UnnamedSpec>>): CommandGroup {
  return { title, commands: Object.entries(specs).map(([name, spec]) => ({ name, ...spec })) };
}

function installSpec({ name, install: { summary, description = "" } }: OwnProvider): UnnamedSpec {
  const load = async () => {
    const { releaseCommand } = await import("./commands/install-release.ts");
    return { run: releaseCommand(name, description) };
  };
  return { summary, load: installCommands[name] ?? load };
}

function managerSpec(provider: OwnProvider): UnnamedSpec {
  return {
    summary: `run ${provider.manager.subject}`,
    load: async () => {
      const { managerCommand } = await import("./commands/manager.ts");
      return { run: managerCommand(provider) };
    },
  };
}
