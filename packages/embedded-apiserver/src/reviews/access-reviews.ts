import type {
  FieldSelectorAttributes,
  LabelSelectorAttributes,
  SubjectAccessReviewSpec,
} from "@rookery/api";
import {
  type Attributes,
  type Authorizer,
  type CreateRequest,
  emptyAttributes,
  type UserInfo,
} from "@rookery/apiserver";
import {
  badRequestError,
  FieldError,
  invalidError,
  type KubeObject,
  type LabelSelectorRequirement as KubeRequirement,
  labelSelectorAsSelector,
  ParseError,
  parseFieldSelector,
  parseLabelSelector,
} from "@rookery/kube";
import type { ReviewKind } from "./review-kind.ts";
import { validateAccessSpec, validateNoMetadata } from "./validate-review.ts";

const group = "authorization.k8s.io";

/** Reviews of what a user may do. */
export function accessReviews(authorize: Authorizer): readonly ReviewKind[] {
  return [
    accessReview("SubjectAccessReview", authorize),
    accessReview("LocalSubjectAccessReview", authorize),
    accessReview("SelfSubjectAccessReview", authorize),
  ];
}

function accessReview(kind: string, authorize: Authorizer): ReviewKind {
  const isSelf = kind === "SelfSubjectAccessReview";
  const isLocal = kind === "LocalSubjectAccessReview";
  return {
    group,
    kind,
    namespaced: isLocal,
    answer: (review, request) => {
      const spec = specOf(review);
      assertValid(validateAccessSpec(spec, isSelf), validateNoMetadata(review, isLocal));
      if (isLocal) {
        assertValid(localProblems(review));
        assertNamespace(review, request);
      }
      const user = isSelf ? request.user : userOf(spec);
      return answered(review, { user, authorize, request });
    },
  };
}

function specOf(review: KubeObject): SubjectAccessReviewSpec {
  return (review.spec ?? {}) as SubjectAccessReviewSpec;
}

/** Kubernetes omits the kind in these messages. */
function assertValid(...problems: readonly (readonly FieldError[])[]): void {
  const all = problems.flat();
  if (all.length > 0) throw invalidError({ group, kind: "" }, "", all);
}

function localProblems(review: KubeObject): FieldError[] {
  const { resourceAttributes, nonResourceAttributes } = specOf(review);
  const requested = resourceAttributes?.namespace ?? "";
  const differs =
    resourceAttributes !== undefined && requested !== (review.metadata.namespace ?? "");
  const path = "spec.resourceAttributes.namespace";
  const shown = {
    Path: nonResourceAttributes?.path ?? "",
    Verb: nonResourceAttributes?.verb ?? "",
  };
  const disallowed = "disallowed on this kind of request";
  return [
    ...(differs ? [FieldError.invalid(path, requested, "must match metadata.namespace")] : []),
    ...(nonResourceAttributes
      ? [FieldError.invalid("spec.nonResourceAttributes", shown, disallowed)]
      : []),
  ];
}

function assertNamespace({ metadata }: KubeObject, { namespace }: CreateRequest): void {
  if (namespace === metadata.namespace) return;
  throw badRequestError(`spec.resourceAttributes.namespace must match namespace: ${namespace}`);
}

function userOf({ user = "", uid, groups = [], extra }: SubjectAccessReviewSpec): UserInfo {
  return { name: user, groups, ...(uid && { uid }), ...(extra && { extra }) };
}

async function answered(
  review: KubeObject,
  how: { user: UserInfo; authorize: Authorizer; request: CreateRequest },
): Promise<KubeObject> {
  const { attributes, problems } = accessQuestion(specOf(review), how.user);
  const { decision, reason } = await how.authorize(attributes, how.request.signal);
  const status = {
    allowed: decision === "Allow",
    ...(decision === "Deny" && { denied: true }),
    ...(reason && { reason }),
    ...(problems.length > 0 && { evaluationError: problems.join("; ") }),
  };
  return { ...review, status };
}

/**
 * The attributes that a review asks about; invalid selectors are left out and reported in
 * `problems`.
 */
interface AccessQuestion {
  readonly attributes: Attributes;
  readonly problems: readonly string[];
}

type Question = Pick<SubjectAccessReviewSpec, "resourceAttributes" | "nonResourceAttributes">;

function accessQuestion(requested: Question, user: UserInfo): AccessQuestion {
  const { resourceAttributes, nonResourceAttributes = {} } = requested;
  if (resourceAttributes === undefined) {
    const { path = "", verb = "" } = nonResourceAttributes;
    const attributes = { ...emptyAttributes, user, verb, path, isResourceRequest: false };
    return { attributes, problems: [] };
  }
  const { fieldSelector, labelSelector, verb = "", version, ...rest } = resourceAttributes;
  const fields = fieldsOf(fieldSelector);
  const labels = labelsOf(labelSelector);
  const attributes: Attributes = {
    ...emptyAttributes,
    ...rest,
    user,
    verb,
    version: version || "*",
    isResourceRequest: true,
    fieldSelector: fields.terms.join(","),
    labelSelector: labels.terms.join(","),
  };
  return {
    attributes,
    problems: [...problemOf("fieldSelector", fields), ...problemOf("labelSelector", labels)],
  };
}

interface Terms {
  readonly terms: readonly string[];
  readonly failed: boolean;
}

function problemOf(field: string, { terms, failed }: Terms): string[] {
  if (!failed) return [];
  const ignored = terms.length > 0 ? "partially ignored" : "ignored";
  return [`spec.resourceAttributes.${field} ${ignored} due to parse error`];
}

function fieldsOf({ rawSelector = "", requirements = [] }: FieldSelectorAttributes = {}): Terms {
  if (requirements.length === 0) return parsed(() => String(parseFieldSelector(rawSelector)));
  const terms = requirements.flatMap(({ key = "", operator = "", values = [] }) => {
    const sign = { In: "=", NotIn: "!=" }[operator];
    return sign !== undefined && values.length === 1 ? [`${key}${sign}${values[0]}`] : [];
  });
  return { terms, failed: terms.length < requirements.length };
}

function labelsOf({ rawSelector = "", requirements = [] }: LabelSelectorAttributes = {}): Terms {
  if (requirements.length === 0) return parsed(() => String(parseLabelSelector(rawSelector)));
  const terms = requirements.flatMap((requirement) => {
    const matchExpressions = [requirement as KubeRequirement];
    return parsed(() => String(labelSelectorAsSelector({ matchExpressions }))).terms;
  });
  return { terms, failed: terms.length < requirements.length };
}

function parsed(parse: () => string): Terms {
  try {
    const text = parse();
    return { terms: text === "" ? [] : [text], failed: false };
  } catch (error) {
    if (!(error instanceof ParseError)) throw error;
    return { terms: [], failed: true };
  }
}
