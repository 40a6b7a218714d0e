import {
  type AdmissionAttributes,
  type Attributes,
  type Decision,
  systemUsers,
  type UserInfo,
} from "@rookery/apiserver";
import { serviceAccountUser } from "@rookery/kube";
import { type AccessQuestion, CelAuthorizer, CelResourceCheck } from "@rookery/schema";

/** Decides at once, as expressions can't wait. */
export type Decide = (attributes: Attributes) => Decision;

/** What conditions can ask about a request: what its user may do, and what to its own resource. */
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

/** As kube-apiserver makes it of a name: no token was seen, and so nobody was authenticated. */
function userOf({ namespace, name }: NonNullable<AccessQuestion["serviceAccount"]>): UserInfo {
  const groups = ["system:serviceaccounts", `system:serviceaccounts:${namespace}`];
  return { name: serviceAccountUser(namespace, name), groups };
}

const noTarget = {
  ...{ path: "", group: "", version: "*", resource: "", subresource: "", namespace: "" },
  ...{ name: "", fieldSelector: "", labelSelector: "" },
};
