import type { RequestInfo } from "../request/request-info.ts";
import type { UserInfo } from "../request/user.ts";

/** Who wants to do what, in the words of RBAC. */
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

export interface Decision {
  readonly decision: "Allow" | "Deny" | "NoOpinion";
  /** Shown to who is refused. */
  readonly reason?: string;
}

/** Decides; throws where it can't. */
export type Authorizer = (
  attributes: Attributes,
  signal: AbortSignal,
) => Decision | Promise<Decision>;

/** Asks one after another until one allows or denies; what they threw counts where none does. */
export function unionAuthorizer(...authorizers: readonly Authorizer[]): Authorizer {
  return async (attributes, signal) => {
    const errors: unknown[] = [];
    const reasons: string[] = [];
    for (const authorize of authorizers) {
      try {
        const { decision, reason = "" } = await authorize(attributes, signal);
        if (decision !== "NoOpinion") return { decision, reason };
        if (reason !== "") reasons.push(reason);
      } catch (error) {
        errors.push(error);
      }
    }
    if (errors.length > 0) throw errors[0];
    return { decision: "NoOpinion", reason: reasons.join("\n") };
  };
}
