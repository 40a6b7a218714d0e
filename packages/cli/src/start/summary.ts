import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { CommandIo } from "../command.ts";
import { painter } from "../output/colours.ts";
import { formatText } from "../output/table.ts";
import type { PartState } from "./progress.ts";
import { tenantPart, tenants, vsphereTenants } from "./tenants.ts";

export interface SummaryOptions {
  readonly kubeconfig: string;
  /** The words that start the command. */
  readonly rookery: string;
  /** Whether this machine can reach addresses of Services. */
  readonly isEmbedded: boolean;
  readonly states: readonly PartState[];
}

/** The maximum line length. */
const widest = 120;

/** In a clone npx, which also finds the right Node. */
export function rookeryWords(): string {
  return existsSync(fileURLToPath(new URL("../main.ts", import.meta.url)))
    ? "npx rookery"
    : "rookery";
}

/** The commands to try, of which the first prepares the shell for the others. */
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

/** One sentence for the clusters of each state. */
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
