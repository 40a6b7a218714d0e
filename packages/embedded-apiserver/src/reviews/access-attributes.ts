import type {
  FieldSelectorAttributes,
  LabelSelectorAttributes,
  SubjectAccessReviewSpec,
} from "@rookery/api";
import { type Attributes, emptyAttributes, type UserInfo } from "@rookery/apiserver";
import {
  type LabelSelectorRequirement as KubeRequirement,
  labelSelectorAsSelector,
  ParseError,
  parseFieldSelector,
  parseLabelSelector,
} from "@rookery/kube";

/** What a review asks about; `problems` are those of its selectors, which are then left out. */
export interface AccessQuestion {
  readonly attributes: Attributes;
  readonly problems: readonly string[];
}

type Asked = Pick<SubjectAccessReviewSpec, "resourceAttributes" | "nonResourceAttributes">;

/** The question of a review that is valid. */
export function accessQuestion(asked: Asked, user: UserInfo): AccessQuestion {
  const { resourceAttributes, nonResourceAttributes = {} } = asked;
  if (resourceAttributes === undefined) {
    const { path = "", verb = "" } = nonResourceAttributes;
    const attributes = { ...emptyAttributes, user, verb, path, isResourceRequest: false };
    return { attributes, problems: [] };
  }
  const { fieldSelector, labelSelector, verb = "", version, ...rest } = resourceAttributes;
  const fields = fieldsOf(fieldSelector);
  const labels = labelsOf(labelSelector);
  const attributes: Attributes = {
    ...{
      ...emptyAttributes,
      ...rest,
      user,
      verb,
      version: version || "*",
      isResourceRequest: true,
    },
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
