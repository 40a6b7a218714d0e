import { readFile } from "node:fs/promises";
import { join } from "node:path";

/** The file with the namespace of a pod. */
export const serviceAccountNamespaceFile =
  "/var/run/secrets/kubernetes.io/serviceaccount/namespace";

export interface OwnNamespaceOptions {
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Reads a file as text; rejects if it does not exist. */
  readonly readFile?: (path: string) => Promise<string>;
}

/**
 * The namespace of this process: POD_NAMESPACE, or that of the pod's service account. Undefined outside of a cluster.
 * Rejects if the file exists but cannot be read.
 */
export async function detectOwnNamespace(
  options: OwnNamespaceOptions = {},
): Promise<string | undefined> {
  const { env = process.env, readFile: read = readText } = options;
  if (env.POD_NAMESPACE) return env.POD_NAMESPACE;
  try {
    const { ROOKERY_SERVICE_ACCOUNT_FOLDER: folder } = env;
    const file = folder ? join(folder, "namespace") : serviceAccountNamespaceFile;
    return (await read(file)).trim() || undefined;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

function readText(path: string): Promise<string> {
  return readFile(path, "utf8");
}
