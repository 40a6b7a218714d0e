import type { SubjectAccessReviewSpec } from "@rookery/api";
import type { Authorizer, CreateRequest, UserInfo } from "@rookery/apiserver";
import { badRequestError, FieldError, invalidError, type KubeObject } from "@rookery/kube";
import { accessQuestion } from "./access-attributes.ts";
import type { ReviewKind } from "./review-kind.ts";
import { validateAccessSpec, validateNoMetadata } from "./validate-review.ts";

const group = "authorization.k8s.io";

/** Reviews of what a user may do. */
export function accessReviews(authorize: Authorizer): readonly ReviewKind[] {
  return [
    accessReview("SubjectAccessReview", authorize),
    accessReview("LocalSubjectAccessReview", authorize),
    accessReview("SelfSubjectAccessReview", authorize),
  ];
}

function accessReview(kind: string, authorize: Authorizer): ReviewKind {
  const isSelf = kind === "SelfSubjectAccessReview";
  const isLocal = kind === "LocalSubjectAccessReview";
  return {
    group,
    kind,
    namespaced: isLocal,
    answer: (review, request) => {
      const spec = specOf(review);
      assertValid(validateAccessSpec(spec, isSelf), validateNoMetadata(review, isLocal));
      if (isLocal) {
        assertValid(localProblems(review));
        assertNamespace(review, request);
      }
      const user = isSelf ? request.user : userOf(spec);
      return answered(review, { user, authorize, request });
    },
  };
}

function specOf(review: KubeObject): SubjectAccessReviewSpec {
  return (review.spec ?? {}) as SubjectAccessReviewSpec;
}

/** Kubernetes forgets the kind in these messages. */
function assertValid(...problems: readonly (readonly FieldError[])[]): void {
  const all = problems.flat();
  if (all.length > 0) throw invalidError({ group, kind: "" }, "", all);
}

function localProblems(review: KubeObject): FieldError[] {
  const { resourceAttributes, nonResourceAttributes } = specOf(review);
  const asked = resourceAttributes?.namespace ?? "";
  const differs = resourceAttributes !== undefined && asked !== (review.metadata.namespace ?? "");
  const path = "spec.resourceAttributes.namespace";
  const shown = {
    Path: nonResourceAttributes?.path ?? "",
    Verb: nonResourceAttributes?.verb ?? "",
  };
  const disallowed = "disallowed on this kind of request";
  return [
    ...(differs ? [FieldError.invalid(path, asked, "must match metadata.namespace")] : []),
    ...(nonResourceAttributes
      ? [FieldError.invalid("spec.nonResourceAttributes", shown, disallowed)]
      : []),
  ];
}

function assertNamespace({ metadata }: KubeObject, { namespace }: CreateRequest): void {
  if (namespace === metadata.namespace) return;
  throw badRequestError(`spec.resourceAttributes.namespace must match namespace: ${namespace}`);
}

function userOf({ user = "", uid, groups = [], extra }: SubjectAccessReviewSpec): UserInfo {
  return { name: user, groups, ...(uid && { uid }), ...(extra && { extra }) };
}

async function answered(
  review: KubeObject,
  how: { user: UserInfo; authorize: Authorizer; request: CreateRequest },
): Promise<KubeObject> {
  const { attributes, problems } = accessQuestion(specOf(review), how.user);
  const { decision, reason } = await how.authorize(attributes, how.request.signal);
  const status = {
    allowed: decision === "Allow",
    ...(decision === "Deny" && { denied: true }),
    ...(reason && { reason }),
    ...(problems.length > 0 && { evaluationError: problems.join("; ") }),
  };
  return { ...review, status };
}
