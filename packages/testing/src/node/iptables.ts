import { runCommand } from "../process/command.ts";

const families = ["iptables", "ip6tables"] as const;
type Family = (typeof families)[number];

const nftFamilies = { iptables: "ip", ip6tables: "ip6" } as const satisfies Record<Family, string>;

/** Which tables there are, by family. */
export type TableNames = Readonly<Record<Family, readonly string[]>>;

/** kubelet, kube-proxy and the CNI plugins name all their chains like this. */
const ours = /^(KUBE|CNI)-/;

interface Table {
  readonly name: string;
  readonly chains: readonly string[];
  /** Each "-A CHAIN ...". */
  readonly rules: readonly string[];
}

export async function tableNames(): Promise<TableNames> {
  const [iptables = [], ip6tables = []] = await Promise.all(families.map(readTables));
  const names = (tables: readonly Table[]) => tables.map((table) => table.name);
  return { iptables: names(iptables), ip6tables: names(ip6tables) };
}

/** Chains of a kubelet, a kube-proxy or a CNI plugin that are there now. */
export async function kubernetesChains(): Promise<string[]> {
  const tables = (await Promise.all(families.map(readTables))).flat();
  return tables.flatMap((table) => table.chains.filter((chain) => ours.test(chain)));
}

/**
 * Takes away the chains of Kubernetes and CNI with the rules that lead to them, in one step for each
 * family, and the tables that were not there before and hold nothing now. Rules of others stay.
 */
export async function removeKubernetesRules(before: TableNames): Promise<void> {
  for (const family of families) {
    const script = removalScript(await runCommand(`${family}-save`, []));
    if (script) await runCommand(`${family}-restore`, ["--noflush"], { stdin: script });
    const added = (await readTables(family)).filter(({ name }) => !before[family].includes(name));
    for (const { name } of added) await removeEmptyTable(nftFamilies[family], name);
  }
}

/** The input of `iptables-restore --noflush`; "" if there is nothing to remove. */
export function removalScript(saved: string): string {
  return parseTables(saved).map(removalOf).join("");
}

function removalOf(table: Table): string {
  const chains = table.chains.filter((chain) => ours.test(chain));
  if (chains.length === 0) return "";
  const jumps = table.rules.filter(
    (rule) => !ours.test(chainOf(rule)) && ours.test(targetOf(rule)),
  );
  const lines = [
    `*${table.name}`,
    // A chain that is declared is emptied; only then can those that it leads to be deleted.
    ...chains.map((chain) => `:${chain} - [0:0]`),
    ...jumps.map((rule) => rule.replace(/^-A /, "-D ")),
    ...chains.map((chain) => `-X ${chain}`),
    "COMMIT",
  ];
  return `${lines.join("\n")}\n`;
}

/**
 * Removes a table that holds nothing but empty chains. In one step with its chains: a rule that
 * someone adds meanwhile makes it fail, and the table stays. An older iptables has no such tables.
 */
async function removeEmptyTable(family: string, name: string): Promise<void> {
  const listed = await runCommand("nft", ["--json", "list", "table", family, name]).catch(() => "");
  const items = listed === "" ? [] : (JSON.parse(listed) as NftRuleset).nftables;
  if (items.length === 0 || items.some((item) => "rule" in item)) return;
  const chains = items.flatMap((item) => item.chain?.name ?? []);
  const script = [
    ...chains.map((chain) => `delete chain ${family} ${name} ${chain}`),
    `delete table ${family} ${name}`,
  ];
  await runCommand("nft", ["--file", "-"], { stdin: script.join("\n") }).catch(() => {});
}

interface NftRuleset {
  readonly nftables: readonly {
    readonly chain?: { readonly name: string };
    readonly rule?: unknown;
  }[];
}

function chainOf(rule: string): string {
  return rule.split(" ")[1] ?? "";
}

function targetOf(rule: string): string {
  return / (?:-j|-g) (\S+)/.exec(rule)?.[1] ?? "";
}

async function readTables(family: Family): Promise<Table[]> {
  return parseTables(await runCommand(`${family}-save`, []));
}

function parseTables(saved: string): Table[] {
  return saved.split(/^\*/m).slice(1).map(parseTable);
}

function parseTable(text: string): Table {
  const [name = "", ...lines] = text.split("\n");
  return {
    name,
    chains: lines
      .filter((line) => line.startsWith(":"))
      .map((line) => line.slice(1).split(" ")[0] ?? ""),
    rules: lines.filter((line) => line.startsWith("-A ")),
  };
}
