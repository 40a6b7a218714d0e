import { access, constants } from "node:fs/promises";
import { messageOf } from "@rookery/errors";
import { UnavailableError } from "../errors.ts";
import { runCommand } from "../process/command.ts";
import { type Progress, reportProgress } from "../progress.ts";

/** The Debian packages that a node is made of, each with a file that shows it is there. */
const packages = {
  containerd: "/usr/bin/containerd",
  runc: "/usr/sbin/runc",
  "containernetworking-plugins": "/usr/lib/cni/bridge",
  iproute2: "/sbin/ip",
  iptables: "/usr/sbin/iptables",
  conntrack: "/usr/sbin/conntrack",
  nftables: "/usr/sbin/nft",
  socat: "/usr/bin/socat",
  "busybox-static": "/bin/busybox",
} as const;

export type PackageName = keyof typeof packages;

/** Those packages of a node that this machine lacks. */
export async function missingPackages(): Promise<PackageName[]> {
  const names = Object.keys(packages) as PackageName[];
  const checks = names.map((name) => access(packages[name], constants.X_OK));
  const results = await Promise.allSettled(checks);
  return names.filter((_, index) => results[index]?.status === "rejected");
}

/** Installs packages with apt-get. Throws UnavailableError. */
export async function installPackages(
  names: readonly PackageName[],
  progress: Progress = reportProgress,
): Promise<void> {
  progress(`installing ${names.join(" ")}`);
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  const install = ["install", "--yes", "--no-install-recommends", ...names];
  try {
    await runCommand("apt-get", ["update"], { env });
    await runCommand("apt-get", install, { env });
  } catch (cause) {
    const reason = messageOf(cause);
    const remedy = `install ${names.join(" ")} by the means of this system`;
    throw new UnavailableError("the packages of a node", { reason, remedy, cause });
  }
}
