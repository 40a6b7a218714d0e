import type { RequestInfo } from "@rookery/kube";
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
    const poll = new Poll();
    // Most authorizers are synchronous: the request waits only for those that are not.
    for (const [index, authorize] of authorizers.entries()) {
      const rest = () => pollRest(poll, authorizers.slice(index + 1), { attributes, signal });
      try {
        const answer = authorize(attributes, signal);
        if (answer instanceof Promise)
          return poll.hear(answer).then((decided) => decided ?? rest());
        const decided = poll.count(answer);
        if (decided) return decided;
      } catch (error) {
        poll.errors.push(error);
      }
    }
    return poll.undecided();
  };
}

async function pollRest(
  poll: Poll,
  authorizers: readonly Authorizer[],
  { attributes, signal }: { readonly attributes: Attributes; readonly signal: AbortSignal },
): Promise<Decision> {
  for (const authorize of authorizers) {
    const decided = await poll.hear((async () => authorize(attributes, signal))());
    if (decided) return decided;
  }
  return poll.undecided();
}

/** Collects reasons and errors. */
class Poll {
  readonly errors: unknown[] = [];
  readonly #reasons: string[] = [];

  /** Returns the decision unless it is NoOpinion. */
  count({ decision, reason = "" }: Decision): Decision | undefined {
    if (decision !== "NoOpinion") return { decision, reason };
    if (reason !== "") this.#reasons.push(reason);
    return undefined;
  }

  async hear(answer: Promise<Decision>): Promise<Decision | undefined> {
    try {
      return this.count(await answer);
    } catch (error) {
      this.errors.push(error);
      return undefined;
    }
  }

  undecided(): Decision {
    if (this.errors.length > 0) throw this.errors[0];
    return { decision: "NoOpinion", reason: this.#reasons.join("\n") };
  }
}
