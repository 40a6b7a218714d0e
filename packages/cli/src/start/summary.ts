import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { CommandIo } from "../command.ts";
import { painter } from "../output/colours.ts";
import { tenants } from "./tenants.ts";

export interface SummaryOptions {
  readonly kubeconfig: string;
  /** How to call the command. */
  readonly rookery: string;
  /** Whether addresses of Services are this machine's. */
  readonly isEmbedded: boolean;
}

/** In a clone by npx, which also finds the right Node. */
export function rookeryWords(): string {
  return existsSync(fileURLToPath(new URL("../main.ts", import.meta.url)))
    ? "npx rookery"
    : "rookery";
}

/** What to try: each works as it is in a shell that has the first line behind it. */
export function commandsToTry({
  kubeconfig,
  rookery,
}: Omit<SummaryOptions, "isEmbedded">): readonly string[] {
  const nested = tenants.nested;
  return [
    `export KUBECONFIG=${shellQuoted(kubeconfig)}`,
    `${rookery} get tenants`,
    `${rookery} describe cluster ${nested} -n ${nested}`,
    `${rookery} get kubeconfig ${nested} -n ${nested} > ${nested}.kubeconfig`,
  ];
}

export function formatSummary(options: SummaryOptions, io: CommandIo): string {
  const paint = painter(io);
  const lines = commandsToTry(options).map((line) => `  ${paint("bold", line)}\n`);
  const tenant = tenants.nested;
  const where = options.isEmbedded ? "" : ",\nfrom where addresses of Services can be reached";
  return (
    `\nTry, in another terminal:\n\n${lines.join("")}\n` +
    `With that file, kubectl --kubeconfig=${tenant}.kubeconfig speaks to the control plane of ${tenant} alone${where}. Clusters of the other\n` +
    "tenants have infrastructure and no machines: they are Provisioned, and NoMachines is expected.\n"
  );
}

function shellQuoted(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
