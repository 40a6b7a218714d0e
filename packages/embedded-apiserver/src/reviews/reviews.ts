import type { TokenReviewSpec } from "@rookery/api";
import type { UserInfo } from "@rookery/apiserver";
import { badRequestError, type Clock, formatTime } from "@rookery/kube";
import type { ServiceAccountTokens } from "../authentication/service-account-tokens.ts";
import type { ReviewKind } from "./review-kind.ts";

const group = "authentication.k8s.io";

/** Tells who is behind a token. */
export function tokenReview(tokens: Pick<ServiceAccountTokens, "review">): ReviewKind {
  return {
    group,
    kind: "TokenReview",
    plural: "tokenreviews",
    namespaced: false,
    answer: async (review, { signal }) => {
      const { token = "", audiences = [] } = (review.spec ?? {}) as TokenReviewSpec;
      if (token === "") {
        throw badRequestError("token is required for TokenReview in authentication");
      }
      const status = await tokens.review({ token, audiences }, signal);
      return { ...review, status: { user: {}, ...status } };
    },
  };
}

/** Tells who asks who they are. */
export function selfSubjectReview(now: Clock): ReviewKind {
  return {
    group,
    kind: "SelfSubjectReview",
    plural: "selfsubjectreviews",
    namespaced: false,
    answer: ({ apiVersion, kind }, { user }) => ({
      ...{ apiVersion, kind },
      metadata: { creationTimestamp: formatTime(now()) },
      status: { userInfo: userInfoOf(user) },
    }),
  };
}

function userInfoOf({ name, uid, groups, extra }: UserInfo) {
  return { username: name, ...(uid && { uid }), groups, ...(extra && { extra }) };
}
