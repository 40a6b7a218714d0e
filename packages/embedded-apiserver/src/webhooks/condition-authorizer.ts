import {
  type AdmissionAttributes,
  type Attributes,
  type Decision,
  systemUsers,
  type UserInfo,
} from "@rookery/apiserver";
import { serviceAccountUser } from "@rookery/kube";
import { type AccessQuestion, CelAuthorizer, CelResourceCheck } from "@rookery/schema";

/** Synchronous, because expressions cannot wait. */
export type Decide = (attributes: Attributes) => Decision;

/** The variables of conditions that check permissions of the user. */
export function authorizerVariables(attributes: AdmissionAttributes, decide: Decide) {
  const { user, resource, subresource, namespace, name } = attributes;
  const authorizer = new CelAuthorizer((question) => {
    const { decision, reason = "" } = decideFor(user, question, decide);
    return { allowed: decision === "Allow", reason };
  });
  const { group, resource: plural } = resource;
  const own = { group, resource: plural, subresource, namespace, name };
  return { authorizer, "authorizer.requestResource": new CelResourceCheck(authorizer, own) };
}

function decideFor(user: UserInfo, question: AccessQuestion, decide: Decide): Decision {
  const { verb, target, serviceAccount } = question;
  const asked = serviceAccount ? userOf(serviceAccount) : user;
  if (asked.groups.includes(systemUsers.privilegedGroup)) return { decision: "Allow" };
  const isResourceRequest = !("path" in target);
  return decide({ ...noTarget, ...target, verb, isResourceRequest, user: asked });
}

/**
 * The user of a ServiceAccount, not in the group of authenticated users, like in kube-apiserver.
 */
function userOf({ namespace, name }: NonNullable<AccessQuestion["serviceAccount"]>): UserInfo {
  const groups = ["system:serviceaccounts", `system:serviceaccounts:${namespace}`];
  return { name: serviceAccountUser(namespace, name), groups };
}

const noTarget = {
  ...{ path: "", group: "", version: "*", resource: "", subresource: "", namespace: "" },
  ...{ name: "", fieldSelector: "", labelSelector: "" },
};
