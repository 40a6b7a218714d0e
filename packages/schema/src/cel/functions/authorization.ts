import { validateDns1123Label, validateDns1123Subdomain } from "@rookery/kube";
import { objectType } from "../cel-type.ts";
import { CelError, NO_SUCH_OVERLOAD, Opaque, type Value } from "../values/value.ts";
import { trimSpace } from "./code-points.ts";
import { declareFunctions, type FunctionDeclaration } from "./declare.ts";

export const AUTHORIZER = objectType("kubernetes.authorization.Authorizer");
export const RESOURCE_CHECK = objectType("kubernetes.authorization.ResourceCheck");
const PATH_CHECK = objectType("kubernetes.authorization.PathCheck");
const GROUP_CHECK = objectType("kubernetes.authorization.GroupCheck");
const DECISION = objectType("kubernetes.authorization.Decision");

export interface CheckedResource {
  readonly group: string;
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
  /** Selectors as text; invalid ones select nothing. */
  readonly fieldSelector: string;
  readonly labelSelector: string;
}

export interface AccessQuestion {
  readonly verb: string;
  readonly target: CheckedResource | { readonly path: string };
  /** The account to check in place of the user. */
  readonly serviceAccount: { readonly namespace: string; readonly name: string } | undefined;
}

export interface AccessVerdict {
  readonly allowed: boolean;
  readonly reason: string;
  /** Why there is no decision. */
  readonly error?: string;
}

/** Decides the authorization checks of expressions. */
export type AccessDecider = (question: AccessQuestion) => AccessVerdict;

/** A value that only has functions and cannot be compared. */
abstract class Receiver extends Opaque {
  equals(): CelError {
    return NO_SUCH_OVERLOAD;
  }
}

type Account = AccessQuestion["serviceAccount"];

/** The variable `authorizer`. */
export class CelAuthorizer extends Receiver {
  readonly type = AUTHORIZER;
  readonly decide: AccessDecider;
  readonly account: Account;

  constructor(decide: AccessDecider, account?: Account) {
    super();
    this.decide = decide;
    this.account = account;
  }
}

class CelPathCheck extends Receiver {
  readonly type = PATH_CHECK;
  readonly authorizer: CelAuthorizer;
  readonly target: { readonly path: string };

  constructor(authorizer: CelAuthorizer, path: string) {
    super();
    this.authorizer = authorizer;
    this.target = { path };
  }
}

class CelGroupCheck extends Receiver {
  readonly type = GROUP_CHECK;
  readonly authorizer: CelAuthorizer;
  readonly group: string;

  constructor(authorizer: CelAuthorizer, group: string) {
    super();
    this.authorizer = authorizer;
    this.group = group;
  }
}

const noParts = { subresource: "", namespace: "", name: "", fieldSelector: "", labelSelector: "" };

/** Also the variable `authorizer.requestResource`. */
export class CelResourceCheck extends Receiver {
  readonly type = RESOURCE_CHECK;
  readonly authorizer: CelAuthorizer;
  readonly target: CheckedResource;

  constructor(
    authorizer: CelAuthorizer,
    target: Partial<CheckedResource> & Pick<CheckedResource, "group" | "resource">,
  ) {
    super();
    this.authorizer = authorizer;
    this.target = { ...noParts, ...target };
  }
}

class CelDecision extends Receiver {
  readonly type = DECISION;
  readonly verdict: AccessVerdict;

  constructor(verdict: AccessVerdict) {
    super();
    this.verdict = verdict;
  }
}

const isBlank = (text: string): boolean => trimSpace(text) === "";

function group([authorizer, name]: [CelAuthorizer, string]): Value {
  return new CelGroupCheck(authorizer, name);
}

function path([authorizer, text]: [CelAuthorizer, string]): Value {
  return isBlank(text)
    ? new CelError("path must not be empty")
    : new CelPathCheck(authorizer, text);
}

function serviceAccount([authorizer, namespace, name]: [CelAuthorizer, string, string]): Value {
  if (validateDns1123Subdomain(name).length > 0) {
    return new CelError("Invalid service account name");
  }
  if (validateDns1123Label(namespace).length > 0) {
    return new CelError("Invalid service account namespace");
  }
  return new CelAuthorizer(authorizer.decide, { namespace, name });
}

function resource([{ authorizer, group }, name]: [CelGroupCheck, string]): Value {
  if (isBlank(name)) return new CelError("resource must not be empty");
  return new CelResourceCheck(authorizer, { group, resource: name });
}

function check([{ authorizer, target }, verb]: [CelPathCheck | CelResourceCheck, string]): Value {
  const { decide, account } = authorizer;
  return new CelDecision(decide({ verb, target, serviceAccount: account }));
}

/** Restricts a resource check by one more attribute. */
const narrow = (name: keyof typeof noParts) => {
  return ([{ authorizer, target }, text]: [CelResourceCheck, string]): Value =>
    new CelResourceCheck(authorizer, { ...target, [name]: text });
};

/** Kubernetes' library of authorization, with its selectors. */
export const AUTHORIZATION_FUNCTIONS: readonly FunctionDeclaration[] = declareFunctions(
  {
    path: { "authorizer_path: Authorizer.(string) -> PathCheck": path },
    group: { "authorizer_group: Authorizer.(string) -> GroupCheck": group },
    serviceAccount: {
      "authorizer_serviceaccount: Authorizer.(string, string) -> Authorizer": serviceAccount,
    },
    resource: { "groupcheck_resource: GroupCheck.(string) -> ResourceCheck": resource },
    subresource: {
      "resourcecheck_subresource: ResourceCheck.(string) -> ResourceCheck": narrow("subresource"),
    },
    namespace: {
      "resourcecheck_namespace: ResourceCheck.(string) -> ResourceCheck": narrow("namespace"),
    },
    name: { "resourcecheck_name: ResourceCheck.(string) -> ResourceCheck": narrow("name") },
    fieldSelector: {
      "authorizer_fieldselector: ResourceCheck.(string) -> ResourceCheck": narrow("fieldSelector"),
    },
    labelSelector: {
      "authorizer_labelselector: ResourceCheck.(string) -> ResourceCheck": narrow("labelSelector"),
    },
    check: {
      "pathcheck_check: PathCheck.(string) -> Decision": check,
      "resourcecheck_check: ResourceCheck.(string) -> Decision": check,
    },
    errored: {
      "decision_errored: Decision.() -> bool": ([{ verdict }]: [CelDecision]) =>
        verdict.error !== undefined,
    },
    error: {
      "decision_error: Decision.() -> string": ([{ verdict }]: [CelDecision]) =>
        verdict.error ?? "",
    },
    allowed: {
      "decision_allowed: Decision.() -> bool": ([{ verdict }]: [CelDecision]) => verdict.allowed,
    },
    reason: {
      "decision_reason: Decision.() -> string": ([{ verdict }]: [CelDecision]) => verdict.reason,
    },
  },
  {
    Authorizer: AUTHORIZER,
    ResourceCheck: RESOURCE_CHECK,
    PathCheck: PATH_CHECK,
    GroupCheck: GROUP_CHECK,
    Decision: DECISION,
  },
);
