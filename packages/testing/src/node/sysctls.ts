import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";

/** The settings that kubelet, kube-proxy and the CNI plugins change for the whole machine. */
const names = [
  "kernel/keys/root_maxbytes",
  "kernel/keys/root_maxkeys",
  "kernel/panic",
  "kernel/panic_on_oops",
  "net/bridge/bridge-nf-call-iptables",
  "net/ipv4/conf/all/route_localnet",
  "net/ipv4/ip_forward",
  "net/ipv4/vs/conntrack",
  "net/ipv6/conf/all/forwarding",
  "vm/overcommit_memory",
  "vm/panic_on_oom",
];

export async function readSysctls(): Promise<Record<string, string>> {
  const present = names.filter((name) => existsSync(`/proc/sys/${name}`));
  const values = await Promise.all(
    present.map(async (name) => [name, (await readFile(`/proc/sys/${name}`, "utf8")).trim()]),
  );
  return Object.fromEntries(values);
}

/** Sets those that differ now. */
export async function restoreSysctls(before: Readonly<Record<string, string>>): Promise<void> {
  const now = await readSysctls();
  for (const [name, value] of Object.entries(before)) {
    if (now[name] !== value) await writeFile(`/proc/sys/${name}`, value);
  }
}
