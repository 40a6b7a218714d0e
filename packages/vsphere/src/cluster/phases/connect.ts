import type { VSphereCluster } from "@rookery/api";
import { objectKeyOf } from "@rookery/kube";
import type { ResolvedIdentity } from "../../credentials/resolve-identity.ts";
import { InvalidServerError } from "../../errors.ts";
import { holderOf, sessionTarget } from "../../sessions/session.ts";
import type { About } from "../../vim/connect.ts";
import type { ClusterScope } from "../scope.ts";

/** Checks that the vCenter exists and accepts the credentials. A shared session that is alive needs no call. */
export async function connect(
  { metadata, spec }: VSphereCluster,
  identity: ResolvedIdentity,
  { sessions, ca }: Pick<ClusterScope, "sessions" | "ca">,
): Promise<About> {
  if (!spec?.server) throw new InvalidServerError("");
  const target = sessionTarget(identity, { thumbprint: spec.thumbprint, ca });
  const holder = holderOf("VSphereCluster", objectKeyOf({ metadata }));
  return sessions.use(holder, target, async ({ vcenter }) => vcenter.about);
}
