import { resolve } from "node:path";
import type { CommandIo } from "../command.ts";
import { defaultFolder } from "../local/flags.ts";
import { type LocalStatus, readStatus } from "../local/status.ts";
import { type Form, formatValue, isForPrograms, outputFlag } from "../output/forms.ts";
import { formatPairs } from "../output/table.ts";
import { parseArguments } from "../parse-arguments.ts";

interface StatusFlags {
  readonly data: string;
  readonly output?: Form;
}

const examples = `
Examples:
  rookery local status                       whether it runs, and how its node and pods are
  rookery local status -o json | jq .node    the same for programs`;

/** Tells whether the embedded Kubernetes runs, and what of. */
export async function run(args: readonly string[], io: CommandIo): Promise<void> {
  const { data, output } = parseArguments(args, io, (command) =>
    outputFlag(command, ["table", "json", "yaml"])
      .name("rookery local status")
      .description(
        "Tells whether the embedded Kubernetes runs, where, and how its node and pods are.",
      )
      .option("--data <folder>", "where its data stays", defaultFolder(io.env))
      .addHelpText("after", examples),
  ).opts<StatusFlags>();
  const status = await readStatus(resolve(data));
  if (isForPrograms(output)) return io.write(formatValue(status, output));
  io.write(formatPairs(rowsOf(status), { width: io.terminal?.columns() }));
}

function rowsOf({ running, data, ...rest }: LocalStatus): (readonly [string, string])[] {
  const stored = ["Data", `${data.folder} (${sizeText(data.bytes)})`] as const;
  if (!running) return [["State", "stopped"], stored];
  const { address, version, node, pods, pid, since, problem } = rest;
  return [
    ["State", problem === undefined ? "running" : `running, but does not answer: ${problem}`],
    ["Address", address ?? ""],
    ["Version", version ?? ""],
    ["Node", node ? `${node.name} (${node.ready ? "Ready" : "NotReady"})` : "unknown"],
    ["Pods", pods ? `${pods.ready} of ${pods.total} ready` : "unknown"],
    stored,
    ["Process", `${pid}`],
    ["Since", since ?? ""],
    ["Kubeconfig", rest.kubeconfig ?? ""],
  ];
}

function sizeText(bytes: number): string {
  const mebibytes = bytes / 1024 / 1024;
  return mebibytes < 1024 ? `${mebibytes.toFixed(1)} MiB` : `${(mebibytes / 1024).toFixed(1)} GiB`;
}
