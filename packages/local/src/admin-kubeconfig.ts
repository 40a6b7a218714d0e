import { dirname, join } from "node:path";
import type { LocalPki } from "@rookery/embedded-apiserver";
import { makeFolder, writePrivateFile } from "@rookery/embedded-apiserver";
import { createKubeconfig } from "@rookery/pki";
import type { LocalServerOptions } from "./local-options.ts";

/**
 * Writes the kubeconfig into the data folder and to the requested path, which it returns. Undefined
 * with external certificates, which include the administrator's.
 */
export async function writeAdminKubeconfig(
  { ca, leaves }: Pick<LocalPki, "ca" | "leaves">,
  server: string,
  { data, kubeconfig }: Pick<LocalServerOptions, "data" | "kubeconfig">,
): Promise<string | undefined> {
  if (!leaves.admin) return undefined;
  const config = createKubeconfig({
    clusterName: "rookery",
    contextName: "rookery",
    server,
    certificateAuthority: ca.certificate,
    userName: "kubernetes-admin",
    credentials: leaves.admin,
  });
  const own = join(data, "kubeconfig");
  const wanted = kubeconfig ?? own;
  const text = `${JSON.stringify(config, undefined, 2)}\n`;
  for (const file of new Set([own, wanted])) {
    makeFolder(dirname(file));
    writePrivateFile(file, text);
  }
  return wanted;
}
