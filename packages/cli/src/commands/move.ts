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
import type { CommandIo } from "../command.ts";
import { MissingObjectError, UsageError } from "../errors.ts";
import { type Connection, connectTo, type KubeFlags } from "../kube-flags.ts";
import { type Form, formatValue, isForPrograms, outputFlag } from "../output/forms.ts";
import { parseArguments } from "../parse-arguments.ts";
import { formatMoveReport } from "./move-report.ts";
import { type HiddenWarnings, shownWarnings } from "./shown-warnings.ts";

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

/** Moves Cluster API objects to another management cluster, to a folder, or from one. */
export async function run(args: readonly string[], io: CommandIo): Promise<void> {
  const options = readOptions(args, io);
  await using stack = new AsyncDisposableStack();
  const clusters = new Clusters(options, io, stack);
  const report = options.fromDirectory
    ? await fromDirectory(options.fromDirectory, options, clusters)
    : await fromCluster(options, clusters);
  if (!report) return io.writeError("Everything is as it was before the move.\n");
  const { output, dryRun = false } = options;
  const width = io.terminal?.columns();
  io.write(
    isForPrograms(output) ? formatValue(report, output) : formatMoveReport(report, dryRun, width),
  );
}

const examples = `
Examples:
  rookery move --to-kubeconfig target.yaml -n team           a whole namespace
  rookery move --to-kubeconfig target.yaml --cluster prod    one cluster of it
  rookery move --to-kubeconfig target.yaml --dry-run         what would be moved, copied and left
  rookery move --to-kubeconfig target.yaml --rollback        undoes a move that was killed
  rookery move --to-directory backup                         to files, and
  rookery move --from-directory backup                       from files

A move that was killed goes on when the same command is run again.`;

function readOptions(args: readonly string[], io: CommandIo): Options {
  const options = parseArguments(args, io, (command) =>
    outputFlag(command, ["text", "json", "yaml"])
      .name("rookery move")
      .description(
        "Moves Cluster API objects and all that belongs to them to another management cluster, which has " +
          "the same providers. Nothing is deleted before all of it has arrived.",
      )
      .option("-n, --namespace <name>", "whose objects are moved; that of the context where absent")
      .option("--cluster <name>", "moves this cluster alone; what it shares is copied")
      .option("--to-kubeconfig <file>", "the kubeconfig of the target cluster")
      .option("--to-kubeconfig-context <name>", "its context to use")
      .option("--to-directory <folder>", "writes the objects to files, and deletes nothing")
      .option("--from-directory <folder>", "creates the objects that such files hold")
      .option("--dry-run", "only says what would be moved, copied and left")
      .option("--rollback", "undoes a move that was killed before anything was deleted")
      .addOption(
        new Option("--hide-api-warnings <which>", "which warnings of API servers are not shown")
          .choices(["default", "all", "none"])
          .default("default"),
      )
      .option("--kubeconfig <file>", "the kubeconfig of the source cluster")
      .option("--context <name>", "its context to use")
      .option("--kubeconfig-context <name>", "the same, as clusterctl calls it")
      .addHelpText("after", examples),
  ).opts<Options>();
  checkOptions(options);
  return options;
}

function checkOptions(options: Options): void {
  const { toKubeconfig, toDirectory, fromDirectory, dryRun, rollback } = options;
  const exclude = (a: keyof Options, b: keyof Options) => {
    if (options[a] === undefined || options[b] === undefined) return;
    throw new UsageError(`${flagOf(a)} and ${flagOf(b)} do not go together.`);
  };
  exclude("toDirectory", "toKubeconfig");
  exclude("toDirectory", "fromDirectory");
  exclude("fromDirectory", "kubeconfig");
  exclude("fromDirectory", "cluster");
  exclude("fromDirectory", "namespace");
  exclude("dryRun", "rollback");
  if (toKubeconfig || toDirectory || fromDirectory || (dryRun && !rollback)) return;
  throw new UsageError(
    "a move needs a target: --to-kubeconfig, --to-directory or --from-directory; without one there is --dry-run.",
  );
}

function flagOf(option: string): string {
  return `--${option.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

/** Undefined after a rollback. */
async function fromCluster(options: Options, clusters: Clusters): Promise<MoveReport | undefined> {
  const source = await clusters.source();
  const { cluster, namespace = source.namespace, toDirectory: folder, dryRun } = options;
  const scope = { namespace, ...(cluster !== undefined && { cluster }) };
  const { onProgress } = clusters;
  if (!options.rollback) await refuseMissing(source.client, namespace);
  if (folder !== undefined && !dryRun) {
    const save = { source: source.client, scope, folder, onProgress };
    return options.rollback ? rollBackSave(save).then(() => undefined) : saveMove(save);
  }
  const common = { ...scope, source: source.client, onProgress };
  if (!options.toKubeconfig) return previewMove(common);
  const target = await clusters.target();
  const both = { ...common, target: target.client, server: target.server };
  if (options.rollback) return rollBackMove(both).then(() => undefined);
  return dryRun ? previewMove(both) : move(both);
}

/** Of a namespace that is not there, nobody says that it has nothing. Errors: MissingObjectError. */
async function refuseMissing(client: Client, name: string): Promise<void> {
  try {
    await client.resource(builtInResources.namespaces).get({ name });
  } catch (error) {
    if (isForbidden(error)) return;
    if (!isNotFound(error)) throw error;
    const what = `namespaces of the source; "rookery get clusters -A" lists the clusters of all`;
    throw new MissingObjectError([name], what);
  }
}

async function fromDirectory(
  folder: string,
  { rollback, dryRun }: Options,
  clusters: Clusters,
): Promise<MoveReport | undefined> {
  const { client, server } = await clusters.target();
  const { onProgress } = clusters;
  const restore = { target: client, server, folder, onProgress };
  if (rollback) return rollBackRestore(restore).then(() => undefined);
  return dryRun ? previewRestore(restore) : restoreMove(restore);
}

/** Connects to the clusters that a move has to do with, and says what it is doing. */
class Clusters {
  readonly #options: Options;
  readonly #io: CommandIo;
  readonly #stack: AsyncDisposableStack;

  constructor(options: Options, io: CommandIo, stack: AsyncDisposableStack) {
    this.#options = options;
    this.#io = io;
    this.#stack = stack;
  }

  readonly onProgress = (text: string): void => this.#io.writeError(`${text}\n`);

  source(): Promise<Connection> {
    const { kubeconfig, context, kubeconfigContext } = this.#options;
    return this.#open(kubeconfig, context ?? kubeconfigContext);
  }

  target(): Promise<Connection> {
    const { toKubeconfig, toKubeconfigContext } = this.#options;
    return this.#open(toKubeconfig, toKubeconfigContext);
  }

  async #open(kubeconfig: string | undefined, context: string | undefined): Promise<Connection> {
    const flags: KubeFlags = {
      ...(kubeconfig !== undefined && { kubeconfig }),
      ...(context !== undefined && { context }),
    };
    const isShown = shownWarnings(this.#options.hideApiWarnings);
    return this.#stack.use(await connectTo(flags, this.#io, isShown));
  }
}
