import type { Client } from "@rookery/client";
import type { KubeObject } from "@rookery/kube";
import { selfSubjectReviews } from "../resources.ts";

/** The subject of a role binding. */
export type Subject =
  | { readonly kind: "ServiceAccount"; readonly namespace: string; readonly name: string }
  | {
      readonly apiGroup: "rbac.authorization.k8s.io";
      readonly kind: "User";
      readonly name: string;
    };

interface SelfSubjectReview extends KubeObject {
  readonly status?: { readonly userInfo?: { readonly username?: string } };
}

/** The user or service account of a client. */
export async function ownSubject(client: Client): Promise<Subject> {
  const review = {
    apiVersion: "authentication.k8s.io/v1",
    kind: "SelfSubjectReview",
    metadata: {},
  };
  const { status } = await client.resource<SelfSubjectReview>(selfSubjectReviews).create(review);
  return subjectOf(status?.userInfo?.username ?? "");
}

export function subjectOf(username: string): Subject {
  const [, namespace, name] = /^system:serviceaccount:([^:]+):([^:]+)$/.exec(username) ?? [];
  if (namespace && name) return { kind: "ServiceAccount", namespace, name };
  return { apiGroup: "rbac.authorization.k8s.io", kind: "User", name: username };
}
