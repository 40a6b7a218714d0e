import { writeFile } from "node:fs/promises";
import type { Credentials } from "../kubernetes.ts";

/** Writes a kubeconfig that carries all it needs, readable by its owner only. */
export async function writeKubeconfig(
  file: string,
  cluster: { readonly server: string; readonly ca: string },
  user: (Credentials | { readonly token: string }) & { readonly name: string },
): Promise<void> {
  const base64 = (pem: string) => Buffer.from(pem).toString("base64");
  const config = {
    apiVersion: "v1",
    kind: "Config",
    clusters: [
      {
        name: "rookery",
        cluster: { server: cluster.server, "certificate-authority-data": base64(cluster.ca) },
      },
    ],
    users: [
      {
        name: user.name,
        user:
          "token" in user
            ? { token: user.token }
            : {
                "client-certificate-data": base64(user.certificate),
                "client-key-data": base64(user.key),
              },
      },
    ],
    contexts: [{ name: "rookery", context: { cluster: "rookery", user: user.name } }],
    "current-context": "rookery",
  };
  await writeFile(file, `${JSON.stringify(config, undefined, 2)}\n`, { mode: 0o600 });
}
