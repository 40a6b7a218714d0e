import type { VSphereClusterIdentity } from "@rookery/api";
import { deepEqual, forbiddenError, groupVersionResourceOf } from "@rookery/kube";
import type { AdmissionContext } from "@rookery/runtime";
import { managerName } from "../manager-name.ts";
import { identities } from "../resources.ts";

/**
 * Throws where a manager changes more of an identity than who uses it. The account of each instance may
 * patch identities, to hold them; what they say is for administrators, or one tenant's instance could
 * open another tenant's identity to itself.
 */
export function refuseManagers(
  identity: VSphereClusterIdentity,
  before: VSphereClusterIdentity,
  { request }: AdmissionContext,
): void {
  if (!isManager(request.userInfo?.username)) return;
  if (deepEqual(declared(identity), declared(before))) return;
  const resource = {
    group: identities.group,
    resource: groupVersionResourceOf(identities).resource,
  };
  const why = "a manager may change its finalizers and its status, and nothing else of it";
  throw forbiddenError(resource, identity.metadata.name ?? "", why);
}

/** The account of an instance, in whichever namespace it is. */
function isManager(username = ""): boolean {
  const [system, kind, namespace, name] = username.split(":");
  return system === "system" && kind === "serviceaccount" && !!namespace && name === managerName;
}

/** The fields that administrators write, without those of managers and API servers. */
function declared({ metadata, spec }: VSphereClusterIdentity): object {
  const { labels = {}, annotations = {}, ownerReferences = [] } = metadata;
  return { labels, annotations, ownerReferences, spec };
}
