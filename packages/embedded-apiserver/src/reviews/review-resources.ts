import type { PolicyRule, SelfSubjectRulesReviewSpec, TokenReviewSpec } from "@rookery/api";
import {
  type Authorizer,
  opaqueSchema,
  type ServedGroup,
  type ServedSubresource,
  userInfoObject,
} from "@rookery/apiserver";
import { badRequestError, type Clock, formatTime, type KubeObject } from "@rookery/kube";
import type { ServiceAccountTokens } from "../authentication/service-account-tokens.ts";
import { describeMissing, type RuleResolver } from "../rbac/rule-resolver.ts";
import { typedDecoder } from "../types/typed-decoder.ts";
import { accessReviews } from "./access-reviews.ts";
import { type ReviewKind, servedReview } from "./review-kind.ts";
import {
  answerTokenRequest,
  defaultTokenRequest,
  type TokenRequestContext,
} from "./token-request.ts";

export interface ReviewContext extends TokenRequestContext {
  readonly authorize: Authorizer;
  readonly resolver: RuleResolver;
}

/** The API groups of reviews. */
export function reviewGroups(context: ReviewContext): readonly ServedGroup[] {
  const { tokens, now, authorize, resolver } = context;
  return [
    groupOf("authentication.k8s.io", [selfSubjectReview(now), tokenReview(tokens)]),
    groupOf("authorization.k8s.io", [...accessReviews(authorize), rulesReview(resolver)]),
  ];
}

function groupOf(name: string, kinds: readonly ReviewKind[]): ServedGroup {
  return { name, versions: [{ name: "v1", resources: kinds.map(servedReview) }] };
}

/** serviceaccounts/token. */
export function tokenSubresource(context: TokenRequestContext): ServedSubresource {
  const decode = typedDecoder("k8s.io/api/authentication/v1.TokenRequest", defaultTokenRequest);
  return {
    kind: { group: "authentication.k8s.io", version: "v1", kind: "TokenRequest" },
    model: "io.k8s.api.authentication.v1.TokenRequest",
    schema: opaqueSchema,
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

const group = "authentication.k8s.io";

/** Returns the user of a token. */
function tokenReview(tokens: Pick<ServiceAccountTokens, "review">): ReviewKind {
  return {
    group,
    kind: "TokenReview",
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

/** Returns the user of the request. */
function selfSubjectReview(now: Clock): ReviewKind {
  return {
    group,
    kind: "SelfSubjectReview",
    answer: ({ apiVersion, kind }, { user }) => ({
      apiVersion,
      kind,
      metadata: { creationTimestamp: formatTime(now()) },
      status: { userInfo: userInfoObject(user) },
    }),
  };
}

/** Returns the rules that apply to the user of the request in a namespace. */
function rulesReview(resolver: RuleResolver): ReviewKind {
  return {
    group: "authorization.k8s.io",
    kind: "SelfSubjectRulesReview",
    answer: ({ apiVersion, kind, spec }, { user }) => {
      const { namespace = "" } = (spec ?? {}) as SelfSubjectRulesReviewSpec;
      if (namespace === "") throw badRequestError("no namespace on request");
      const grants = [...resolver.grantsTo(user, namespace)];
      const missing = grants.filter(({ rules }) => rules === undefined);
      const status = {
        ...ruleLists(grants.flatMap(({ rules = [] }) => rules)),
        incomplete: false,
        ...(missing.length > 0 && { evaluationError: describeMissing(missing) }),
      };
      return { apiVersion, kind, metadata: {}, spec: {}, status };
    },
  };
}

function ruleLists(rules: readonly PolicyRule[]) {
  const ofResources = rules.filter(({ resources = [] }) => resources.length > 0);
  const ofUrls = rules.filter(({ nonResourceURLs = [] }) => nonResourceURLs.length > 0);
  return {
    resourceRules: ofResources.map(({ verbs, apiGroups, resources, resourceNames }) => ({
      verbs,
      apiGroups,
      resources,
      ...(resourceNames && { resourceNames }),
    })),
    nonResourceRules: ofUrls.map(({ verbs, nonResourceURLs }) => ({ verbs, nonResourceURLs })),
  };
}
