import type { Client } from "@rookery/client";
import { builtInResources, isForbidden, isNotFound } from "@rookery/kube";
import {
  type MoveReport,
  move,
  previewMove,
  previewRestore,
  restoreMove,
  rollBackMove,
  rollBackRestore,
  rollBackSave,
  saveMove,
} from "@rookery/move";
import { Option } from "commander";
import { defineCommand } from "../define-command.ts";
import { MissingObjectError, UsageError } from "../errors.ts";
import { rejectPairs } from "../flags.ts";
import { type Connection, connectTo } from "../kube-flags.ts";
import { type Form, formatFor, outputFlag } from "../output/forms.ts";
import { formatMoveReport } from "./move-report.ts";

interface Options {
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly kubeconfigContext?: string;
  readonly toKubeconfig?: string;
  readonly toKubeconfigContext?: string;
  readonly toDirectory?: string;
  readonly fromDirectory?: string;
  readonly namespace?: string;
  readonly cluster?: string;
  readonly dryRun?: boolean;
  readonly rollback?: boolean;
  readonly hideApiWarnings: HiddenWarnings;
  readonly output?: Form;
}

/** The warnings of API servers that are hidden, in clusterctl's words. */
export type HiddenWarnings = "default" | "all" | "none";

/** The clusters of a move, which are connected to when they are needed. */
interface Clusters {
  readonly source: () => Promise<Connection>;
  readonly target: () => Promise<Connection>;
  readonly onProgress: (text: string) => void;
}

/** Moves Cluster API objects to another management cluster, to a folder, or from one. */
export const run = defineCommand<Options>({
  description:
    "Moves Cluster API objects and all their dependents to another management cluster, which has the " +
    "same providers. Nothing is deleted before all objects have arrived.",
  examples: `  rookery move --to-kubeconfig target.yaml -n team           a whole namespace
  rookery move --to-kubeconfig target.yaml --cluster prod    one cluster of it
  rookery move --to-kubeconfig target.yaml --dry-run         what would be moved, copied and left
  rookery move --to-kubeconfig target.yaml --rollback        undoes a move that was killed
  rookery move --to-directory backup                         to files, and
  rookery move --from-directory backup                       from files

A move that was killed goes on when the same command is run again.`,
  declare: (command) =>
    outputFlag(command, ["text", "json", "yaml"])
      .option("-n, --namespace <name>", "the namespace to move; that of the context where absent")
      .option("--cluster <name>", "moves this cluster alone; objects that it shares are copied")
      .option("--to-kubeconfig <file>", "the kubeconfig of the target cluster")
      .option("--to-kubeconfig-context <name>", "its context to use")
      .option("--to-directory <folder>", "writes the objects to files, and deletes nothing")
      .option("--from-directory <folder>", "creates the objects of such files")
      .option("--dry-run", "only prints what would be moved, copied and left")
      .option("--rollback", "undoes a move that was killed before anything was deleted")
      .addOption(
        new Option("--hide-api-warnings <which>", "the warnings of API servers that are hidden")
          .choices(["default", "all", "none"])
          .default("default"),
      )
      .option("--kubeconfig <file>", "the kubeconfig of the source cluster")
      .option("--context <name>", "its context to use")
      .option("--kubeconfig-context <name>", "the same, as clusterctl calls it"),
  async run(options, io) {
    checkOptions(options);
    const { output, dryRun = false } = options;
    await using stack = new AsyncDisposableStack();
    const isShown = shownWarnings(options.hideApiWarnings);
    const connect = async (kubeconfig: string | undefined, context: string | undefined) => {
      const flags = { ...(kubeconfig && { kubeconfig }), ...(context && { context }) };
      return stack.use(await connectTo(flags, io, isShown));
    };
    const clusters: Clusters = {
      source: () => connect(options.kubeconfig, options.context ?? options.kubeconfigContext),
      target: () => connect(options.toKubeconfig, options.toKubeconfigContext),
      onProgress: (text) => io.writeError(`${text}\n`),
    };
    const report = options.fromDirectory
      ? await moveFromDirectory(options.fromDirectory, options, clusters)
      : await moveFromCluster(options, clusters);
    if (!report) return io.writeError("Everything is as it was before the move.\n");
    const text = () => formatMoveReport(report, dryRun, io.terminal?.columns());
    io.write(formatFor(output, report, text));
  },
});

function checkOptions(options: Options): void {
  rejectPairs(options, [
    ["toDirectory", "toKubeconfig"],
    ["toDirectory", "fromDirectory"],
    ["fromDirectory", "kubeconfig"],
    ["fromDirectory", "cluster"],
    ["fromDirectory", "namespace"],
    ["dryRun", "rollback"],
  ]);
  const { toKubeconfig, toDirectory, fromDirectory, dryRun } = options;
  if (toKubeconfig || toDirectory || fromDirectory || dryRun) return;
  throw new UsageError(
    "a move needs a target: --to-kubeconfig, --to-directory or --from-directory; without one there is --dry-run.",
  );
}

/** Returns undefined after a rollback. */
async function moveFromCluster(
  options: Options,
  { source: connectToSource, target: connectToTarget, onProgress }: Clusters,
): Promise<MoveReport | undefined> {
  const { client: source, ...context } = await connectToSource();
  const { cluster, namespace = context.namespace, toDirectory: folder, dryRun } = options;
  const scope = { namespace, ...(cluster !== undefined && { cluster }) };
  if (!options.rollback) await rejectMissing(source, namespace);
  if (folder !== undefined && !dryRun) {
    const save = { source, scope, folder, onProgress };
    return options.rollback ? rollBackSave(save).then(() => undefined) : saveMove(save);
  }
  const common = { ...scope, source, onProgress };
  if (!options.toKubeconfig) return previewMove(common);
  const { client: target, server } = await connectToTarget();
  const both = { ...common, target, server };
  if (options.rollback) return rollBackMove(both).then(() => undefined);
  return dryRun ? previewMove(both) : move(both);
}

/** Throws MissingObjectError for a missing namespace, which would otherwise look like an empty one. */
async function rejectMissing(client: Client, name: string): Promise<void> {
  try {
    await client.resource(builtInResources.namespaces).get({ name });
  } catch (error) {
    if (isForbidden(error)) return;
    if (!isNotFound(error)) throw error;
    const what = `namespaces of the source; "rookery get clusters -A" lists the clusters of all`;
    throw new MissingObjectError([name], what);
  }
}

async function moveFromDirectory(
  folder: string,
  { rollback, dryRun }: Options,
  { target: connectToTarget, onProgress }: Clusters,
): Promise<MoveReport | undefined> {
  const { client: target, server } = await connectToTarget();
  const restore = { target, server, folder, onProgress };
  if (rollback) return rollBackRestore(restore).then(() => undefined);
  return dryRun ? previewRestore(restore) : restoreMove(restore);
}

/** By default, all but those about finalizers without a domain, which many providers have. */
export function shownWarnings(hidden: HiddenWarnings): (warning: string) => boolean {
  if (hidden === "default") return (warning) => !warning.startsWith("metadata.finalizers:");
  return () => hidden === "none";
}
