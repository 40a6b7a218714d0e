import { validateDns1123Label, validateDns1123Subdomain } from "@rookery/kube";
import { BOOL, type CelType, objectType, STRING } from "../cel-type.ts";
import { CelError, NO_SUCH_OVERLOAD } from "../values/cel-error.ts";
import { Opaque } from "../values/opaque.ts";
import type { Value } from "../values/value.ts";
import { trimSpace } from "./code-points.ts";
import { type FunctionDeclaration, type Implementation, member } from "./declare.ts";

export const AUTHORIZER = objectType("kubernetes.authorization.Authorizer");
export const RESOURCE_CHECK = objectType("kubernetes.authorization.ResourceCheck");
const PATH_CHECK = objectType("kubernetes.authorization.PathCheck");
const GROUP_CHECK = objectType("kubernetes.authorization.GroupCheck");
const DECISION = objectType("kubernetes.authorization.Decision");

/** What may be done to. */
export interface CheckedResource {
  readonly group: string;
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
  /** Selectors as text; what can't be read selects nothing. */
  readonly fieldSelector: string;
  readonly labelSelector: string;
}

export interface AccessQuestion {
  readonly verb: string;
  readonly target: CheckedResource | { readonly path: string };
  /** Of whom it is asked in place of the user. */
  readonly serviceAccount: { readonly namespace: string; readonly name: string } | undefined;
}

export interface AccessVerdict {
  readonly allowed: boolean;
  readonly reason: string;
  /** Why nothing could be decided. */
  readonly error?: string;
}

/** Whom expressions ask what a user may do. */
export type AccessDecider = (question: AccessQuestion) => AccessVerdict;

/** A value that has functions and nothing else: two of them can't be compared. */
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

const isBlank = (text: Value | undefined): boolean => trimSpace(text as string) === "";

const path: Implementation = ([authorizer, text]) =>
  isBlank(text)
    ? new CelError("path must not be empty")
    : new CelPathCheck(authorizer as CelAuthorizer, text as string);

const group: Implementation = ([authorizer, name]) =>
  new CelGroupCheck(authorizer as CelAuthorizer, name as string);

const serviceAccount: Implementation = ([authorizer, ...rest]) => {
  const [namespace = "", name = ""] = rest as string[];
  if (validateDns1123Subdomain(name).length > 0) {
    return new CelError("Invalid service account name");
  }
  if (validateDns1123Label(namespace).length > 0) {
    return new CelError("Invalid service account namespace");
  }
  return new CelAuthorizer((authorizer as CelAuthorizer).decide, { namespace, name });
};

const resource: Implementation = ([value, name]) => {
  if (isBlank(name)) return new CelError("resource must not be empty");
  const check = value as CelGroupCheck;
  return new CelResourceCheck(check.authorizer, { group: check.group, resource: name as string });
};

const check: Implementation = ([value, verb]) => {
  const { authorizer, target } = value as CelPathCheck | CelResourceCheck;
  const { decide, account } = authorizer;
  return new CelDecision(decide({ verb: verb as string, target, serviceAccount: account }));
};

/** What narrows a check of a resource down. */
function narrowed(name: keyof typeof noParts, id: string): FunctionDeclaration {
  const call: Implementation = ([value, text]) => {
    const { authorizer, target } = value as CelResourceCheck;
    return new CelResourceCheck(authorizer, { ...target, [name]: text });
  };
  const signature = [id, [RESOURCE_CHECK, STRING], RESOURCE_CHECK] as const;
  return { name, overloads: [member(signature, call)] };
}

function told(
  name: string,
  result: CelType,
  tell: (verdict: AccessVerdict) => Value,
): FunctionDeclaration {
  const call: Implementation = ([value]) => tell((value as CelDecision).verdict);
  return { name, overloads: [member([`decision_${name}`, [DECISION], result], call)] };
}

/** Kubernetes' library of authorization, with its selectors. */
export const AUTHORIZATION_FUNCTIONS: readonly FunctionDeclaration[] = [
  {
    name: "path",
    overloads: [member(["authorizer_path", [AUTHORIZER, STRING], PATH_CHECK], path)],
  },
  {
    name: "group",
    overloads: [member(["authorizer_group", [AUTHORIZER, STRING], GROUP_CHECK], group)],
  },
  {
    name: "serviceAccount",
    overloads: [
      member(
        ["authorizer_serviceaccount", [AUTHORIZER, STRING, STRING], AUTHORIZER],
        serviceAccount,
      ),
    ],
  },
  {
    name: "resource",
    overloads: [member(["groupcheck_resource", [GROUP_CHECK, STRING], RESOURCE_CHECK], resource)],
  },
  narrowed("subresource", "resourcecheck_subresource"),
  narrowed("namespace", "resourcecheck_namespace"),
  narrowed("name", "resourcecheck_name"),
  narrowed("fieldSelector", "authorizer_fieldselector"),
  narrowed("labelSelector", "authorizer_labelselector"),
  {
    name: "check",
    overloads: [
      member(["pathcheck_check", [PATH_CHECK, STRING], DECISION], check),
      member(["resourcecheck_check", [RESOURCE_CHECK, STRING], DECISION], check),
    ],
  },
  told("errored", BOOL, ({ error }) => error !== undefined),
  told("error", STRING, ({ error = "" }) => error),
  told("allowed", BOOL, ({ allowed }) => allowed),
  told("reason", STRING, ({ reason }) => reason),
];
