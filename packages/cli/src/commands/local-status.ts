import { resolve } from "node:path";
import { defineCommand } from "../define-command.ts";
import { dataFlag } from "../local/flags.ts";
import { type LocalStatus, readStatus } from "../local/status.ts";
import { type Form, formatFor, outputFlag } from "../output/forms.ts";
import { formatPairs } from "../output/table.ts";

interface Options {
  readonly data: string;
  readonly output?: Form;
}

/** Prints whether the embedded Kubernetes runs, and the state of its node and pods. */
export const run = defineCommand<Options>({
  description:
    "Prints whether the embedded Kubernetes runs, its address, and the state of its node and pods.",
  examples: `  rookery local status                       whether it runs, and the state of its node and pods
  rookery local status -o json | jq .node    the same for programs`,
  declare: (command, io) => dataFlag(outputFlag(command, ["table", "json", "yaml"]), io.env),
  async run({ data, output }, io) {
    const status = await readStatus(resolve(data));
    const text = () => formatPairs(rowsOf(status), { width: io.terminal?.columns() });
    io.write(formatFor(output, status, text));
  },
});

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
