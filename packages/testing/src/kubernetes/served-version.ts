import { readSecrets } from "./description.ts";
import { Transport } from "./transport.ts";

/** Asked rather than assumed: KUBEBUILDER_ASSETS may hold any version. */
export async function servedVersion(server: string, folder: string): Promise<string> {
  await using transport = new Transport({ server, ...(await readSecrets(folder)) });
  return (await transport.request("GET", "/version")).body.gitVersion;
}
