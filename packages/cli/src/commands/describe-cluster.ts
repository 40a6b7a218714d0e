import { type Command, Option } from "commander";
import type { CommandIo } from "../command.ts";
import { defineCommand } from "../define-command.ts";
import { describeCluster, findCoreGroup } from "../describe/describe-cluster.ts";
import type { DescribeOptions } from "../describe/description.ts";
import { formatOlderTree } from "../describe/format-older-tree.ts";
import { formatTree } from "../describe/format-tree.ts";
import { treeValue } from "../describe/node-row.ts";
import type { ObjectTree } from "../describe/object-tree.ts";
import { watchCluster } from "../describe/watch-cluster.ts";
import { watchReads } from "../describe/watched-reads.ts";
import { UsageError } from "../errors.ts";
import { booleanFlag } from "../flags.ts";
import { type Connection, connectTo, type KubeFlags, kubeFlags } from "../kube-flags.ts";
import { painter } from "../output/colours.ts";
import { type Form, formatFor, isForPrograms, outputFlag } from "../output/forms.ts";

interface Options extends KubeFlags {
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
  readonly output?: Form;
}

const switches = {
  "--show-machinesets": "show MachineSets",
  "--show-resourcesets": "show ClusterResourceSets",
  "--show-templates": "show templates of infrastructure and bootstrap",
  "--echo": "show also objects that repeat the condition of their parent",
  "--grouping": "show machines with equal conditions in one line; =false turns it off",
  "-c, --color": "use colors, or =false none; the default is colors at a terminal",
};
/** The time between two updates of ages by --watch, in milliseconds. */
const interval = 2_000;

/** Prints a cluster and its objects as a tree. */
export const run = defineCommand<Options>({
  description:
    "Prints a cluster and its objects as a tree, each with the condition that summarizes its state.",
  examples: `  rookery describe cluster prod -n team
  rookery describe cluster prod --show-conditions=all             every condition of every object
  rookery describe cluster prod --show-conditions=all+            those that need attention
  rookery describe cluster prod --show-conditions=Machine/m1,KubeadmControlPlane
  rookery describe cluster prod --grouping=false --echo           every machine, and its parts
  rookery describe cluster prod --watch`,
  declare,
  async run(options, io, [name = ""]) {
    const { watch, output } = options;
    if (watch && isForPrograms(output)) {
      throw new UsageError(`--watch and --output=${output} do not go together.`);
    }
    await using connection = await connectTo(options, io);
    using reads = watchReads(connection.client);
    const { client } = watch ? reads : connection;
    const hidden = new Set<string>();
    const onHidden = (kind: string) => void hidden.add(kind);
    const read = await reader({ ...connection, client }, { ...options, name, onHidden });
    const draw = (tree: ObjectTree, now: Date) => {
      const format = { paint: painterFor(options, io), now, width: io.terminal?.columns() };
      return isOlder(options) ? formatOlderTree(tree, format) : formatTree(tree, format);
    };
    if (!watch) {
      const tree = await read();
      io.write(formatFor(output, treeValue(tree), () => draw(tree, new Date())));
      if (hidden.size > 0) io.writeError(hiddenNote(hidden, connection.namespace));
      return;
    }
    await watchCluster(io, {
      interval,
      changed: () => reads.changed(),
      read: async () => {
        const tree = await read();
        return (now) => draw(tree, now);
      },
    });
  },
});

async function reader(
  { client, namespace }: Connection,
  options: Options & Pick<DescribeOptions, "name" | "onHidden">,
): Promise<() => Promise<ObjectTree>> {
  const { name, onHidden, showConditions, echo = false, grouping = true } = options;
  const description: DescribeOptions = {
    namespace,
    name,
    echo,
    grouping,
    style: isOlder(options) ? "v1beta1" : "v1beta2",
    ...(showConditions !== undefined && { showConditions }),
    machineSets: options.showMachinesets === true,
    resourceSets: Boolean(options.showResourcesets || options.showClusterresourcesets),
    templates: options.showTemplates === true,
    group: await findCoreGroup(client, { namespace, name }),
    ...(onHidden && { onHidden }),
  };
  return () => describeCluster(client, description);
}

function hiddenNote(kinds: ReadonlySet<string>, namespace: string): string {
  return `Not shown, as you may not list them in namespace ${namespace}: ${[...kinds].join(", ")}\n`;
}

/** Whether the conditions of the contract v1beta1 are shown. */
function isOlder({ v1beta2 = true }: Options): boolean {
  return !v1beta2;
}

function painterFor({ color }: Options, io: CommandIo) {
  if (color === false) return painter({ ...io, env: { NO_COLOR: "1" } });
  return painter(color ? { ...io, terminal: { columns: () => 80 } } : io);
}

function declare(command: Command): Command {
  kubeFlags(command.argument("<name>", "its name"))
    .option("--show-conditions <list>", "kinds, or kind/name, to show all conditions of; or all")
    .option("-w, --watch", "print it again whenever it changes");
  for (const [flag, summary] of Object.entries(switches)) booleanFlag(command, flag, summary);
  for (const name of ["show-clusterresourcesets", "v1beta2"]) {
    for (const flag of [`--${name}`, `--no-${name}`]) {
      command.addOption(new Option(flag).hideHelp().default(undefined));
    }
  }
  return outputFlag(command, ["table", "json", "yaml"]);
}
