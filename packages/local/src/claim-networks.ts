import { createHash } from "node:crypto";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { join } from "node:path";
import { writePrivateFile } from "@rookery/embedded-apiserver";
import { NetworksError } from "./errors.ts";

/** The address ranges of one embedded Kubernetes. */
export interface Networks {
  readonly podCidr: string;
  readonly serviceCidr: string;
}

/**
 * Each place has 4,096 pod addresses in 127.64.0.0/11, and as many Service addresses in
 * 127.96.0.0/11.
 */
export const placeCount = 512;

/** Below the ephemeral ports of Linux. */
const claimPort = 19_999;
const fileName = "networks.json";

/**
 * Claims address ranges for this machine while the process runs: pods are local processes, and
 * addresses must be unique. A folder keeps its ranges, since its Services use them. Throws a
 * NetworksError if another process has claimed them.
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
 * Folders start at different places, so that a stopped one usually keeps its own. Other systems
 * than Linux have only loopback addresses that were added, the first ones.
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

/** Listens at the network address, which no pod uses: the claim ends with the process. */
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
    // Whether pods can use the addresses is checked when the node starts.
    if (code === "EADDRNOTAVAIL") return server;
    throw error;
  }
}
