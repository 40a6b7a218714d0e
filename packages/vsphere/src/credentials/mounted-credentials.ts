import { readFile, realpath } from "node:fs/promises";
import { join } from "node:path";
import { IdentityError } from "../errors.ts";
import type { OwnAccount, OwnCredentials } from "./resolve-identity.ts";

/**
 * The controller's own account in a folder with a file for each key: username, password and servers, separated by commas
 * or white space. There is none if user and password are empty. Errors of `read`: IdentityError, if a key is missing.
 */
export function mountedCredentials(folder: string): OwnCredentials {
  return { read: () => readAccount(folder), servers: () => readServers(folder) };
}

async function readServers(folder: string): Promise<readonly string[]> {
  return serversIn(await readKey(join(await currentGeneration(folder), "servers")));
}

async function readAccount(folder: string): Promise<OwnAccount | undefined> {
  const generation = await currentGeneration(folder);
  const [username, password, listed] = await Promise.all(
    ["username", "password", "servers"].map((key) => readKey(join(generation, key))),
  );
  if (!username && !password) return undefined;
  const servers = serversIn(listed);
  if (username && password && servers.length > 0) return { username, password, servers };
  const why = `the controller's own credentials in ${folder} must have username, password and servers, all not empty`;
  throw new IdentityError("SecretNotAvailable", why);
}

function serversIn(listed = ""): readonly string[] {
  return listed.split(/[\s,]+/).filter((server) => server !== "");
}

/** A mounted Secret is replaced as a whole, by a link, which is resolved once so that the keys match. */
async function currentGeneration(folder: string): Promise<string> {
  return realpath(join(folder, "..data")).catch(() => folder);
}

async function readKey(path: string): Promise<string> {
  try {
    const text = (await readFile(path, "utf8")).replace(/\r?\n$/, "");
    return text.trim() === "" ? "" : text;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return "";
    throw error;
  }
}
