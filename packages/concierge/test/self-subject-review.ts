import type { Credentials, Kubernetes } from "@rookery/testing";

/** Whom the API server takes the holder of a client certificate for. */
export async function whoAmI(
  kubernetes: Kubernetes,
  as: Credentials,
): Promise<{ username: string; groups: string[] }> {
  const path = "/apis/authentication.k8s.io/v1/selfsubjectreviews";
  const body = { apiVersion: "authentication.k8s.io/v1", kind: "SelfSubjectReview" };
  const answer = await kubernetes.request("POST", path, { as, body });
  const { username, groups } = answer.body.status.userInfo;
  return { username, groups };
}
