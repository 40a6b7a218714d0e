import type { Authorizer, ServedGroup, ServedSubresource } from "@rookery/apiserver";
import type { KubeObject } from "@rookery/kube";
import type { RuleResolver } from "../rbac/rule-resolver.ts";
import { typedDecoder } from "../types/typed-decoder.ts";
import { accessReviews } from "./access-reviews.ts";
import { servedReview } from "./review-kind.ts";
import { selfSubjectReview, tokenReview } from "./reviews.ts";
import { rulesReview } from "./rules-review.ts";
import {
  answerTokenRequest,
  defaultTokenRequest,
  type TokenRequestContext,
} from "./token-request.ts";

export interface ReviewContext extends TokenRequestContext {
  readonly authorize: Authorizer;
  readonly resolver: RuleResolver;
}

/** The groups of reviews: who someone is, and what they may do. */
export function reviewGroups(context: ReviewContext): readonly ServedGroup[] {
  const { tokens, now, authorize, resolver } = context;
  return [
    groupOf("authentication.k8s.io", [selfSubjectReview(now), tokenReview(tokens)]),
    groupOf("authorization.k8s.io", [...accessReviews(authorize), rulesReview(resolver)]),
  ];
}

function groupOf(name: string, kinds: readonly Parameters<typeof servedReview>[0][]): ServedGroup {
  return { name, versions: [{ name: "v1", resources: kinds.map(servedReview) }] };
}

/** The subresource "token" of service accounts. */
export function tokenSubresource(context: TokenRequestContext): ServedSubresource {
  const decode = typedDecoder("k8s.io/api/authentication/v1.TokenRequest", defaultTokenRequest);
  return {
    kind: { group: "authentication.k8s.io", version: "v1", kind: "TokenRequest" },
    model: "io.k8s.api.authentication.v1.TokenRequest",
    schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
    decode,
    keepsSystemFields: true,
    handlers: {
      create: async (request) => {
        const answer = await answerTokenRequest(request, context);
        return decode(answer as never).object as unknown as KubeObject;
      },
    },
  };
}
