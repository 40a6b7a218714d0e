import type { HttpRequest, Interceptor } from "@rookery/http";
import { forbiddenError, quote, type StatusError } from "@rookery/kube";
import type { Attributes, Authorizer, Decision } from "../authorization/authorizer.ts";
import { AuthorizationError } from "../errors.ts";
import { requestInfoOf, userOf } from "../request/request-context.ts";
import { annotateOf, auditRecordKey } from "./audit.ts";

const decisionAnnotation = "authorization.k8s.io/decision";
const reasonAnnotation = "authorization.k8s.io/reason";

/** Rejects unauthorized requests with 403. */
export function withAuthorization(authorize: Authorizer): Interceptor {
  return (next) => (request) => {
    const attributes = { ...requestInfoOf(request), user: userOf(request) };
    const requested = assertAllowed(authorize, attributes, audited(request));
    return requested ? requested.then(() => next(request)) : next(request);
  };
}

interface DecisionOptions {
  readonly signal: AbortSignal;
  /** Called with the decision. */
  readonly onDecision?: (decision: Decision) => void;
}

/** Annotates the audit event, if there is one. */
function audited(request: HttpRequest): DecisionOptions {
  const { signal, context } = request;
  if (!context.get(auditRecordKey)) return request;
  const annotate = annotateOf(request);
  const onDecision = ({ decision, reason = "" }: Decision) => {
    annotate(decisionAnnotation, decision === "Allow" ? "allow" : "forbid");
    annotate(reasonAnnotation, reason);
  };
  return { signal, onDecision };
}

/** Throws a 403 unless the authorizer allows the request; synchronous if the authorizer is. */
export function assertAllowed(
  authorize: Authorizer,
  attributes: Attributes,
  { signal, onDecision }: DecisionOptions,
): Promise<void> | undefined {
  const assert = (decided: Decision) => {
    onDecision?.(decided);
    const { decision, reason } = decided;
    if (decision !== "Allow") throw forbiddenByAuthorizer(attributes, reason);
  };
  const decision = decide(authorize, attributes, signal);
  if (decision instanceof Promise) return decision.then(assert);
  assert(decision);
  return undefined;
}

/** A StatusError of an authorizer may come from another server, and is not passed to the client. */
function decide(
  authorize: Authorizer,
  attributes: Attributes,
  signal: AbortSignal,
): Decision | Promise<Decision> {
  const fail = (cause: unknown): never => {
    throw new AuthorizationError({ cause });
  };
  try {
    const decision = authorize(attributes, signal);
    return decision instanceof Promise ? decision.catch(fail) : decision;
  } catch (cause) {
    return fail(cause);
  }
}

/** The 403 in kube-apiserver's wording. */
export function forbiddenByAuthorizer(attributes: Attributes, reason = ""): StatusError {
  const { group, resource, name } = attributes;
  const message = withoutMarkup(forbiddenMessage(attributes));
  const why = reason === "" ? message : `${message}: ${reason}`;
  return forbiddenError({ group, resource }, name, why);
}

function forbiddenMessage(attributes: Attributes): string {
  const { user, verb, path, group, resource, subresource, namespace } = attributes;
  const who = `User ${quote(user.name)} cannot ${verb}`;
  if (!attributes.isResourceRequest) return `${who} path ${quote(path)}`;
  const what = subresource === "" ? resource : `${resource}/${subresource}`;
  const where = namespace === "" ? "at the cluster scope" : `in the namespace ${quote(namespace)}`;
  return `${who} resource ${quote(what)} in API group ${quote(group)} ${where}`;
}

/** Escapes HTML. */
function withoutMarkup(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
