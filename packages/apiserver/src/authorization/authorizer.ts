import type { RequestInfo } from "@rookery/kube";
import { firstAnswer } from "../first-answer.ts";
import type { UserInfo } from "../request/user.ts";

/** What a request wants to do, in RBAC terms. */
export interface Attributes
  extends Pick<
    RequestInfo,
    | "verb"
    | "path"
    | "isResourceRequest"
    | "group"
    | "version"
    | "resource"
    | "subresource"
    | "namespace"
    | "name"
    | "fieldSelector"
    | "labelSelector"
  > {
  readonly user: UserInfo;
}

/** Attributes of a request that names nothing, to be completed with what a question is about. */
export const emptyAttributes = {
  path: "",
  group: "",
  version: "",
  resource: "",
  subresource: "",
  namespace: "",
  name: "",
  fieldSelector: "",
  labelSelector: "",
} as const satisfies Partial<Attributes>;

export interface Decision {
  readonly decision: "Allow" | "Deny" | "NoOpinion";
  /** Shown to rejected users. */
  readonly reason?: string;
}

/** Throws if it can't decide. */
export type Authorizer = (
  attributes: Attributes,
  signal: AbortSignal,
) => Decision | Promise<Decision>;

/** Asks authorizers in order until one allows or denies; errors count only if none does. */
export function unionAuthorizer(...authorizers: readonly Authorizer[]): Authorizer {
  return (attributes, signal) => {
    const errors: unknown[] = [];
    const reasons: string[] = [];
    const decided = ({ decision, reason = "" }: Decision): Decision | undefined => {
      if (decision !== "NoOpinion") return { decision, reason };
      if (reason !== "") reasons.push(reason);
      return undefined;
    };
    const ask = (authorize: Authorizer) => {
      const answer = authorize(attributes, signal);
      return answer instanceof Promise ? answer.then(decided) : decided(answer);
    };
    const undecided = (): Decision => {
      if (errors.length > 0) throw errors[0];
      return { decision: "NoOpinion", reason: reasons.join("\n") };
    };
    const decision = firstAnswer(authorizers, ask, errors);
    if (decision instanceof Promise) return decision.then((found) => found ?? undecided());
    return decision ?? undecided();
  };
}
