import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { CommandFailedError } from "../errors.ts";
import { runCommand } from "../process/command.ts";

/**
 * The node's own network: from the range that RFC 2544 sets aside for tests, so that no network this
 * machine is part of has it. The bridge has the node's address; nothing is reached from outside.
 */
export const nodeNetwork = {
  bridge: "rookery0",
  address: "198.18.77.1",
  pods: "198.18.77.0/24",
  services: "198.18.78.0/24",
  cniName: "rookery",
} as const;

/** Makes the bridge that pods are plugged into. */
export async function createBridge(): Promise<void> {
  const { bridge, address, services } = nodeNetwork;
  const ip = (...args: string[]) => runCommand("ip", args);
  await ip("link", "add", "name", bridge, "type", "bridge");
  // Fixed: otherwise it changes with the pods, and what others remember of it would be wrong.
  await ip("link", "set", bridge, "address", "02:00:c6:12:4d:01");
  await ip("address", "add", `${address}/24`, "dev", bridge);
  await ip("link", "set", bridge, "up");
  // A Service that is not translated yet ends here, and never leaves by the machine's default route.
  await ip("route", "add", services, "dev", bridge);
}

/** Removes the bridge with what is plugged into it; fine if there is none. */
export async function removeBridge(bridge: string): Promise<void> {
  if (!hasLink(await listLinks(), bridge)) return;
  for (const link of (await listLinks()).filter(({ master }) => master === bridge)) {
    await deleteLink(link.ifname);
  }
  await deleteLink(bridge);
}

/** Writes the CNI configuration into a folder. */
export async function writeCniConfig(folder: string): Promise<void> {
  const { bridge, cniName, pods } = nodeNetwork;
  const config = {
    cniVersion: "1.0.0",
    name: cniName,
    plugins: [
      {
        type: "bridge",
        bridge,
        isGateway: true,
        hairpinMode: true,
        ipam: {
          type: "host-local",
          dataDir: join(folder, "addresses"),
          ranges: [[{ subnet: pods }]],
          routes: [{ dst: "0.0.0.0/0" }],
        },
      },
    ],
  };
  await mkdir(join(folder, "conf"), { recursive: true });
  await writeFile(join(folder, "conf", "10-rookery.conflist"), JSON.stringify(config));
}

interface Link {
  readonly ifname: string;
  readonly master?: string;
}

async function listLinks(): Promise<Link[]> {
  return JSON.parse(await runCommand("ip", ["-json", "link", "show"])) as Link[];
}

function hasLink(links: readonly Link[], name: string): boolean {
  return links.some(({ ifname }) => ifname === name);
}

/** A veth goes away with its other end, maybe just now. */
async function deleteLink(name: string): Promise<void> {
  await runCommand("ip", ["link", "delete", name]).catch((error: unknown) => {
    const gone = error instanceof CommandFailedError && /Cannot find device/.test(error.stderr);
    if (!gone) throw error;
  });
}
