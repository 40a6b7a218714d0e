import type { VSphereCluster } from "@rookery/api";
import { objectKeyOf } from "@rookery/kube";
import type { ResolvedIdentity } from "../../credentials/resolve-identity.ts";
import { InvalidServerError } from "../../errors.ts";
import type { About } from "../../vim/connect.ts";
import { holderOf } from "../holder.ts";
import type { ClusterScope } from "../scope.ts";

/**
 * Makes sure that the vCenter is there and accepts the credentials. With a session that is shared
 * and alive it asks nothing of the vCenter.
 */
export async function connect(
  cluster: VSphereCluster,
  { credentials, use }: ResolvedIdentity,
  { sessions, ca }: Pick<ClusterScope, "sessions" | "ca">,
): Promise<About> {
  const { server, thumbprint } = cluster.spec ?? {};
  if (!server) throw new InvalidServerError("");
  // A thumbprint is more specific than an authority: it identifies one certificate.
  const trust = thumbprint ? { thumbprint } : { ...(ca && { ca }) };
  const { allowsAddress } = use;
  const target = { server, ...credentials, ...trust, ...(allowsAddress && { allowsAddress }) };
  return sessions.use(holderOf(objectKeyOf(cluster)), target, async ({ vcenter }) => vcenter.about);
}
