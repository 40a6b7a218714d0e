import { resolve } from "node:path";
import { InvalidArgumentError } from "commander";
import type { CommandIo } from "../command.ts";
import { defaultFolder } from "../local/flags.ts";
import { type LocalStatus, readStatus } from "../local/status.ts";
import { parseArguments } from "../parse-arguments.ts";

interface StatusFlags {
  readonly data: string;
  readonly output?: "json";
}

/** Tells whether the embedded Kubernetes runs, and what of. */
export async function run(args: readonly string[], io: CommandIo): Promise<void> {
  const { data, output } = parseArguments(args, io, (command) =>
    command
      .name("rookery local status")
      .description(
        "Tells whether the embedded Kubernetes runs, where, and how its node and pods are.",
      )
      .option("--data <folder>", "where its data stays", defaultFolder(io.env))
      .option("-o, --output <format>", "json, for programs", parseOutput),
  ).opts<StatusFlags>();
  const status = await readStatus(resolve(data));
  io.write(output === "json" ? `${JSON.stringify(status, undefined, 2)}\n` : tableOf(status));
}

function tableOf(status: LocalStatus): string {
  const rows = rowsOf(status);
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, value]) => `${name.padEnd(width)}   ${value}\n`).join("");
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

function parseOutput(text: string): "json" {
  if (text === "json") return text;
  throw new InvalidArgumentError("it is json, or left out for a table");
}
