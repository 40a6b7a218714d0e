import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { CommandIo } from "../command.ts";
import { painter } from "../output/colours.ts";
import { formatText } from "../output/table.ts";
import type { PartState } from "./progress.ts";
import { tenantPart, tenants, vsphereTenants } from "./tenants.ts";

export interface SummaryOptions {
  readonly kubeconfig: string;
  /** How to call the command. */
  readonly rookery: string;
  /** Whether addresses of Services are this machine's. */
  readonly isEmbedded: boolean;
  /** How far the plane is. */
  readonly states: readonly PartState[];
}

/** Lines for people are no longer than this. */
const widest = 120;

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
}: Pick<SummaryOptions, "kubeconfig" | "rookery">): readonly string[] {
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
  const where = options.isEmbedded ? "" : ", from where addresses of Services can be reached";
  const width = Math.min(io.terminal?.columns() ?? widest, widest);
  const said = [
    `With that file, kubectl --kubeconfig=${tenant}.kubeconfig speaks to the control plane of ${tenant} alone${where}.`,
    ...describeClusters(options.states),
  ];
  const text = said.flatMap((one) => formatText(one, width)).join("\n");
  return `\nTry, in another terminal:\n\n${lines.join("")}\n${text}\n`;
}

/** A sentence on the clusters that are alike: Provisioned, not yet, or waiting for what this machine lacks. */
function describeClusters(states: readonly PartState[]): readonly string[] {
  const own = states.filter(({ part }) => vsphereTenants.map(tenantPart).includes(part.name));
  const alike = Map.groupBy(own, ({ is, why }) => (is === "missing" ? why : is === "ready"));
  return [...alike].map(([how, members]) => {
    const clusters = `Clusters of ${members.map(({ part }) => part.name.split(" ").at(-1)).join(", ")}`;
    if (typeof how === "string") return `${clusters} have no infrastructure and wait: ${how}.`;
    const machines = "they have no machines, and NoMachines is expected.";
    return how
      ? `${clusters} are Provisioned: ${machines}`
      : `${clusters} become Provisioned once their infrastructure is ready: ${machines}`;
  });
}

function shellQuoted(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
