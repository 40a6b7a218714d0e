import { type Clock, parseFieldSelector, parseLabelSelector } from "@rookery/kube";
import { ExpiringCache } from "../expiring-cache.ts";
import type { Attributes, Authorizer, Decision } from "./authorizer.ts";

/** One term of a selector, as reviews write it. */
interface SelectorRequirement {
  readonly key: string;
  readonly operator: "In" | "NotIn" | "Exists" | "DoesNotExist";
  readonly values?: readonly string[];
}

/** The `spec` of a SubjectAccessReview. */
export interface SubjectAccessReviewSpec {
  readonly user: string;
  readonly uid?: string;
  readonly groups?: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>>;
  readonly resourceAttributes?: Readonly<
    Record<"namespace" | "verb" | "group" | "version" | "resource" | "subresource" | "name", string>
  > & {
    readonly fieldSelector?: { readonly requirements: readonly SelectorRequirement[] };
    readonly labelSelector?: { readonly requirements: readonly SelectorRequirement[] };
  };
  readonly nonResourceAttributes?: { readonly path: string; readonly verb: string };
}

/** The `status` of a SubjectAccessReview. */
export interface SubjectAccessReviewStatus {
  readonly allowed?: boolean;
  readonly denied?: boolean;
  readonly reason?: string;
  readonly evaluationError?: string;
}

/** Creates a SubjectAccessReview and returns its status. */
export type ReviewSubjectAccess = (
  spec: SubjectAccessReviewSpec,
  signal: AbortSignal,
) => Promise<SubjectAccessReviewStatus>;

export interface SubjectAccessReviewOptions {
  readonly review: ReviewSubjectAccess;
  readonly now: Clock;
}

const cacheSize = 8192;
/** As in the generic API server. */
const ttlMs = 10_000;
/** Longer attributes are not cached. */
const maxCachedAttributes = 10_000;

/** Asks the cluster's API server and caches its answers briefly. */
export function createSubjectAccessReviewAuthorizer(
  options: SubjectAccessReviewOptions,
): Authorizer {
  const { review, now } = options;
  const cache = new ExpiringCache<SubjectAccessReviewStatus>({ size: cacheSize, now });
  return async (attributes, signal) => {
    const spec = specOf(attributes);
    const key = JSON.stringify(spec);
    const known = cache.get(key);
    const status = known ?? (await review(spec, signal));
    if (!known && attributesLength(attributes) < maxCachedAttributes) {
      cache.set(key, status, ttlMs);
    }
    return decisionOf(status);
  };
}

function decisionOf({ allowed, denied, reason = "" }: SubjectAccessReviewStatus): Decision {
  if (denied) return { decision: "Deny", reason };
  return { decision: allowed ? "Allow" : "NoOpinion", reason };
}

function specOf(attributes: Attributes): SubjectAccessReviewSpec {
  const { user, verb, path } = attributes;
  return {
    user: user.name,
    ...(user.uid && { uid: user.uid }),
    ...(user.groups.length > 0 && { groups: user.groups }),
    ...(user.extra && { extra: user.extra }),
    ...(attributes.isResourceRequest
      ? { resourceAttributes: resourceAttributesOf(attributes) }
      : { nonResourceAttributes: { path, verb } }),
  };
}

function resourceAttributesOf(attributes: Attributes) {
  const { namespace, verb, group, version, resource, subresource, name } = attributes;
  const fields = fieldRequirements(attributes.fieldSelector);
  const labels = labelRequirements(attributes.labelSelector);
  return {
    namespace,
    verb,
    group,
    version,
    resource,
    subresource,
    name,
    ...(fields.length > 0 && { fieldSelector: { requirements: fields } }),
    ...(labels.length > 0 && { labelSelector: { requirements: labels } }),
  };
}

/** Selectors only narrow a request, so that unreadable ones may be omitted. */
function fieldRequirements(selector: string): SelectorRequirement[] {
  try {
    return parseFieldSelector(selector).requirements.map(({ field, operator, value }) => ({
      key: field,
      operator: operator === "=" ? "In" : "NotIn",
      values: [value],
    }));
  } catch {
    return [];
  }
}

const labelOperators: ReadonlyMap<string, SelectorRequirement["operator"]> = new Map([
  ["=", "In"],
  ["==", "In"],
  ["in", "In"],
  ["!=", "NotIn"],
  ["notin", "NotIn"],
  ["exists", "Exists"],
  ["!", "DoesNotExist"],
]);

function labelRequirements(selector: string): SelectorRequirement[] {
  try {
    return parseLabelSelector(selector).requirements.flatMap(({ key, operator, values }) => {
      const known = labelOperators.get(operator);
      if (known === undefined) return [];
      return [{ key, operator: known, ...(values.length > 0 && { values }) }];
    });
  } catch {
    return [];
  }
}

function attributesLength(attributes: Attributes): number {
  const { namespace, verb, group, version, resource, subresource, name, path } = attributes;
  const controlled = [namespace, verb, group, version, resource, subresource, name, path];
  return controlled.reduce((sum, text) => sum + text.length, 0);
}
