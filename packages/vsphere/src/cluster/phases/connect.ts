import type { VSphereCluster } from "@rookery/api";
import { objectKeyOf } from "@rookery/kube";
import { InvalidServerError } from "../../errors.ts";
import type { About } from "../../vim/connect.ts";
import type { Credentials } from "../../vim/session.ts";
import { holderOf } from "../holder.ts";
import type { ClusterDependencies } from "../scope.ts";

/**
 * Makes sure that the vCenter is there and accepts the credentials. With a session that is shared
 * and alive it asks nothing of the vCenter.
 */
export async function connect(
  cluster: VSphereCluster,
  credentials: Credentials,
  { sessions, ca }: Pick<ClusterDependencies, "sessions" | "ca">,
): Promise<About> {
  const { server, thumbprint } = cluster.spec ?? {};
  if (!server) throw new InvalidServerError("");
  // A thumbprint says more than an authority: it is this one certificate.
  const trust = thumbprint ? { thumbprint } : { ...(ca && { ca }) };
  const target = { server, ...credentials, ...trust };
  return sessions.use(holderOf(objectKeyOf(cluster)), target, async ({ vcenter }) => vcenter.about);
}
