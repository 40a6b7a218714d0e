import { type Command, Option } from "commander";
import { booleanFlag, withPlainBooleans } from "../boolean-flags.ts";
import type { CommandIo } from "../command.ts";
import { describeCluster } from "../describe/describe-cluster.ts";
import type { DescribeOptions } from "../describe/description.ts";
import { findCoreGroup } from "../describe/find-core-group.ts";
import { formatOlderTree } from "../describe/format-older-tree.ts";
import { formatTree } from "../describe/format-tree.ts";
import type { ObjectTree } from "../describe/object-tree.ts";
import { treeValue } from "../describe/tree-value.ts";
import { watchCluster } from "../describe/watch-cluster.ts";
import { watchReads } from "../describe/watched-reads.ts";
import { UsageError } from "../errors.ts";
import { type Connection, connectTo, type KubeFlags, kubeFlags } from "../kube-flags.ts";
import { painter } from "../output/colours.ts";
import { formatValue, outputFlag } from "../output/forms.ts";
import { parseArguments } from "../parse-arguments.ts";

interface Flags extends KubeFlags {
  readonly showConditions?: string;
  readonly showMachinesets?: boolean;
  readonly showResourcesets?: boolean;
  readonly showClusterresourcesets?: boolean;
  readonly showTemplates?: boolean;
  readonly echo?: boolean;
  readonly grouping?: boolean;
  readonly v1beta2?: boolean;
  readonly color?: boolean;
  readonly watch?: boolean;
  readonly output?: "table" | "json" | "yaml";
}

const switches = {
  "--show-machinesets": "show MachineSets",
  "--show-resourcesets": "show ClusterResourceSets",
  "--show-templates": "show templates of infrastructure and bootstrap",
  "--echo": "show also what only repeats what its parent says",
  "--grouping": "show machines that are alike in one line; on unless it is =false",
  "-c, --color": "with colours, or =false without; colours at a terminal where absent",
};
const booleans = [
  ...["show-machinesets", "show-resourcesets", "show-clusterresourcesets", "show-templates"],
  ...["echo", "grouping", "v1beta2", "color"],
];
const no = (flag: string) => flag.replace("--", "--no-");
/** Between two drawings of ages by --watch, in milliseconds. */
const interval = 2_000;

/** Prints a cluster and what belongs to it as a tree. */
export async function run(args: readonly string[], io: CommandIo): Promise<void> {
  const command = parseArguments(withPlainBooleans(args, booleans), io, declare);
  const flags = command.opts<Flags>();
  const { watch, output } = flags;
  if (watch && output && output !== "table") {
    throw new UsageError(`--watch and --output=${output} do not go together.`);
  }
  await using connection = await connectTo(flags, io);
  using reads = watchReads(connection.client);
  const { client } = watch ? reads : connection;
  const hidden = new Set<string>();
  const [name = ""] = command.args;
  const onHidden = (kind: string) => void hidden.add(kind);
  const read = await reader({ ...connection, client }, { ...flags, name, onHidden });
  const draw = (tree: ObjectTree, now: Date) => {
    const shower = { paint: painterFor(flags, io), now, width: io.terminal?.columns() };
    return isOlder(flags) ? formatOlderTree(tree, shower) : formatTree(tree, shower);
  };
  if (!watch) {
    io.write(await printed(await read(), flags, draw));
    if (hidden.size > 0) io.writeError(hiddenNote(hidden, connection.namespace));
    return;
  }
  await watchCluster(io, {
    interval,
    changed: () => reads.changed(),
    read: async () => {
      const tree = await read();
      return { draw: (now) => draw(tree, now) };
    },
  });
}

async function printed(
  tree: ObjectTree,
  { output }: Flags,
  draw: (tree: ObjectTree, now: Date) => string,
): Promise<string> {
  if (output === "json" || output === "yaml") return formatValue(treeValue(tree), output);
  return draw(tree, new Date());
}

async function reader(
  { client, namespace }: Connection,
  flags: Flags & Pick<DescribeOptions, "name" | "onHidden">,
): Promise<() => Promise<ObjectTree>> {
  const { name, onHidden, showConditions, echo = false, grouping = true } = flags;
  const options: DescribeOptions = {
    namespace,
    name,
    echo,
    grouping,
    style: isOlder(flags) ? "v1beta1" : "v1beta2",
    ...(showConditions !== undefined && { showConditions }),
    machineSets: flags.showMachinesets === true,
    resourceSets: Boolean(flags.showResourcesets || flags.showClusterresourcesets),
    templates: flags.showTemplates === true,
    group: await findCoreGroup(client, { namespace, name }),
    ...(onHidden && { onHidden }),
  };
  return () => describeCluster(client, options);
}

function hiddenNote(kinds: ReadonlySet<string>, namespace: string): string {
  return `Not shown, as you may not list them in namespace ${namespace}: ${[...kinds].join(", ")}\n`;
}

/** Whether the conditions of the contract before are asked for. */
function isOlder({ v1beta2 = true }: Flags): boolean {
  return !v1beta2;
}

function painterFor({ color }: Flags, io: CommandIo) {
  if (color === false) return painter({ ...io, env: { NO_COLOR: "1" } });
  return painter(color ? { ...io, terminal: { columns: () => 80 } } : io);
}

const examples = `
Examples:
  rookery describe cluster prod -n team
  rookery describe cluster prod --show-conditions=all             every condition of every object
  rookery describe cluster prod --show-conditions=all+            those that somebody should look at
  rookery describe cluster prod --show-conditions=Machine/m1,KubeadmControlPlane
  rookery describe cluster prod --grouping=false --echo           every machine, and its parts
  rookery describe cluster prod --watch`;

function declare(command: Command): Command {
  const named = kubeFlags(command.name("rookery describe cluster").argument("<name>", "its name"))
    .description(
      "Prints a cluster and what belongs to it as a tree, each with the condition that says how it is.",
    )
    .option("--show-conditions <list>", "kinds, or kind/name, to show all conditions of; or all")
    .option("-w, --watch", "show it again when it has changed");
  for (const [name, description] of Object.entries(switches)) booleanFlag(named, name, description);
  for (const name of ["--show-clusterresourcesets", "--v1beta2"]) {
    named.addOption(new Option(name).hideHelp()).addOption(new Option(no(name)).hideHelp());
  }
  return outputFlag(named, ["table", "json", "yaml"]).addHelpText("after", examples);
}
