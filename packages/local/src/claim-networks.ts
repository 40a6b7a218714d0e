import { createHash } from "node:crypto";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { join } from "node:path";
import { writePrivateFile } from "@rookery/embedded-apiserver";
import { NetworksError } from "./errors.ts";

/** Where pods and Services of one embedded Kubernetes have their addresses from. */
export interface Networks {
  readonly podCidr: string;
  readonly serviceCidr: string;
}

/** Each has 4,096 addresses for pods in 127.64.0.0/11, and as many for Services in 127.96.0.0/11. */
export const placeCount = 512;

/** Below those that Linux hands out to programs that ask for any port, as few others are. */
const claimPort = 19_999;
const fileName = "networks.json";

/**
 * Takes networks that no other embedded Kubernetes of this machine has while this one runs: pods are
 * processes of one machine, and two of them can't have one address. They are those that the folder
 * had before, since its Services have addresses in them.
 * Errors: NetworksError where another one has those of this folder.
 */
export async function claimNetworks(
  folder: string,
  preferred = placeOf(folder),
): Promise<Networks & AsyncDisposable> {
  const former = readPlace(folder);
  const places =
    former === undefined
      ? Array.from({ length: placeCount }, (_, index) => (preferred + index) % placeCount)
      : [former];
  for (const place of places) {
    const claim = await tryClaim(place);
    if (claim === undefined) continue;
    if (former === undefined)
      writePrivateFile(join(folder, fileName), `${JSON.stringify({ place })}\n`);
    return { ...networksOf(place), [Symbol.asyncDispose]: async () => void claim.close() };
  }
  throw new NetworksError(networksOf(former ?? preferred).podCidr);
}

function networksOf(place: number): Networks {
  const rest = `${(place % 16) * 16}.0/20`;
  const second = Math.floor(place / 16);
  return { podCidr: `127.${64 + second}.${rest}`, serviceCidr: `127.${96 + second}.${rest}` };
}

/**
 * Folders begin at different places, so that one that is not running keeps its own as a rule. Only Linux
 * has all loopback addresses by itself: elsewhere those are there that somebody has added, the first ones.
 */
function placeOf(folder: string): number {
  if (process.platform !== "linux") return 0;
  return createHash("sha256").update(folder).digest().readUInt16BE() % placeCount;
}

function readPlace(folder: string): number | undefined {
  let text: string;
  try {
    text = readFileSync(join(folder, fileName), "utf8");
  } catch {
    return undefined;
  }
  const { place } = JSON.parse(text) as { place?: unknown };
  return Number.isInteger(place) && Number(place) >= 0 ? Number(place) % placeCount : undefined;
}

/** By listening at the network's own address, which no pod gets: it ends with the process, however that ends. */
async function tryClaim(place: number): Promise<Server | undefined> {
  const [host] = networksOf(place).podCidr.split("/");
  const server = createServer((socket) => socket.destroy());
  server.unref();
  try {
    await once(server.listen({ host, port: claimPort, exclusive: true }), "listening");
    return server;
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "EADDRINUSE") return undefined;
    // Whether pods can have such addresses is looked at when the node starts.
    if (code === "EADDRNOTAVAIL") return server;
    throw error;
  }
}
