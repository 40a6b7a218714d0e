import type { CustomResourceDefinitionNames } from "@rookery/api";
import { deepEqual, quote } from "@rookery/kube";
import { caBundleProblem } from "../kinds/admissionregistration/client-config.ts";
import { apiApprovalOf } from "../kinds/apiextensions/api-approval.ts";
import {
  type CrdCondition,
  findCrdCondition,
  isCrdConditionTrue,
} from "../kinds/apiextensions/conditions.ts";
import { type Crd, groupOf } from "./crd.ts";

/** The accepted names of a CRD, and the conditions that follow. */
export interface NamesOutcome {
  readonly acceptedNames: CustomResourceDefinitionNames;
  readonly conditions: readonly CrdCondition[];
}

/** The names that a CRD gets among all CRDs; undefined without a change. A CRD keeps accepted names. */
export function acceptNames(crd: Crd, all: readonly Crd[]): NamesOutcome | undefined {
  const wanted = crd.spec?.names ?? {};
  const accepted = crd.status?.acceptedNames ?? {};
  if (isSame(wanted, accepted)) return undefined;
  const used = usedNames(groupOf(crd), all);
  const { names, conflict } = decide(wanted, accepted, used);
  const namesAccepted: CrdCondition = conflict
    ? { type: "NamesAccepted", status: "False", ...conflict }
    : {
        type: "NamesAccepted",
        status: "True",
        reason: "NoConflicts",
        message: "no conflicts found",
      };
  if (isSame(names, accepted) && !changed(crd, namesAccepted)) return undefined;
  return { acceptedNames: names, conditions: [namesAccepted, establishedAfter(crd, !conflict)] };
}

function isSame(a: CustomResourceDefinitionNames, b: CustomResourceDefinitionNames): boolean {
  return deepEqual(withoutEmpty(a), withoutEmpty(b));
}

function withoutEmpty(names: CustomResourceDefinitionNames): object {
  const entries = Object.entries(names).filter(([, value]) => value !== null && value.length > 0);
  return Object.fromEntries(entries);
}

interface UsedNames {
  readonly resources: ReadonlySet<string>;
  readonly kinds: ReadonlySet<string>;
}

function usedNames(group: string, all: readonly Crd[]): UsedNames {
  const accepted = all
    .filter((crd) => groupOf(crd) === group)
    .map((crd) => crd.status?.acceptedNames ?? {});
  const resources = accepted.flatMap(({ plural = "", singular = "", shortNames }) => [
    plural,
    singular,
    ...(shortNames ?? []),
  ]);
  const kinds = accepted.flatMap(({ kind = "", listKind = "" }) => [kind, listKind]);
  return { resources: new Set(resources), kinds: new Set(kinds) };
}

interface Conflict {
  readonly reason: string;
  readonly message: string;
}

/** All names without a conflict, and the last conflict. */
function decide(
  wanted: CustomResourceDefinitionNames,
  accepted: CustomResourceDefinitionNames,
  used: UsedNames,
): { readonly names: CustomResourceDefinitionNames; readonly conflict: Conflict | undefined } {
  const names: CustomResourceDefinitionNames = { plural: "", kind: "", ...accepted };
  let conflict: Conflict | undefined;
  const take = (name: "plural" | "singular" | "kind" | "listKind", taken: ReadonlySet<string>) => {
    const value = wanted[name] ?? "";
    const message = inUse(value, accepted[name] ?? "", taken);
    if (message) conflict = { reason: `${capitalized(name)}Conflict`, message };
    else names[name] = value;
  };
  take("plural", used.resources);
  take("singular", used.resources);
  const shortNames = shortNameConflicts(wanted, accepted, used);
  if (shortNames) conflict = { reason: "ShortNamesConflict", message: shortNames };
  else if (wanted.shortNames) names.shortNames = wanted.shortNames;
  else delete names.shortNames;
  take("kind", used.kinds);
  take("listKind", used.kinds);
  if (wanted.categories) names.categories = wanted.categories;
  else delete names.categories;
  return { names, conflict };
}

function capitalized(name: string): string {
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
}

function inUse(wanted: string, accepted: string, taken: ReadonlySet<string>): string | undefined {
  if (wanted === accepted || !taken.has(wanted)) return undefined;
  return `${quote(wanted)} is already in use`;
}

function shortNameConflicts(
  wanted: CustomResourceDefinitionNames,
  accepted: CustomResourceDefinitionNames,
  used: UsedNames,
): string | undefined {
  const own = accepted.shortNames ?? [];
  const problems = (wanted.shortNames ?? [])
    .filter((name) => !own.includes(name))
    .map((name) => inUse(name, "", used.resources))
    .filter((problem) => problem !== undefined);
  if (problems.length === 0) return undefined;
  return problems.length > 1 ? `[${problems.join(", ")}]` : problems[0];
}

/** A CRD stays established. A new one is not established before its names are accepted. */
function establishedAfter(crd: Crd, isAccepted: boolean): CrdCondition {
  const known = findCrdCondition(crd, "Established");
  if (known?.status !== "True" && isAccepted) {
    const message = "the initial names have been accepted";
    return { type: "Established", status: "False", reason: "Installing", message };
  }
  if (known) return known as unknown as CrdCondition;
  const message = "not all names are accepted";
  return { type: "Established", status: "False", reason: "NotAccepted", message };
}

/** The condition of a CRD that can be served; undefined without a change. */
export function establishedCondition(crd: Crd): CrdCondition | undefined {
  const isAccepted = isCrdConditionTrue(crd, "NamesAccepted");
  if (!isAccepted || isCrdConditionTrue(crd, "Established")) return undefined;
  const caBundle = crd.spec?.conversion?.webhook?.clientConfig?.caBundle;
  if (caBundle && caBundleProblem(caBundle)) {
    const message = "The conversion webhook CABundle is invalid";
    return changed(crd, {
      type: "Established",
      status: "False",
      reason: "InvalidCABundle",
      message,
    });
  }
  const message = "the initial names have been accepted";
  return { type: "Established", status: "True", reason: "InitialNamesAccepted", message };
}

const approvals = {
  Approved: { status: "True", reason: "ApprovedAnnotation" },
  Bypassed: { status: "False", reason: "UnapprovedAnnotation" },
  Missing: { status: "False", reason: "MissingAnnotation" },
  Invalid: { status: "False", reason: "InvalidAnnotation" },
} as const;

/** The condition of CRDs in protected groups; undefined without a change. */
export function approvalCondition(crd: Crd): CrdCondition | undefined {
  const approval = apiApprovalOf(crd);
  if (!approval) return undefined;
  const { state, message } = approval;
  const type = "KubernetesAPIApprovalPolicyConformant";
  return changed(crd, { type, ...approvals[state], message });
}

/** The condition, unless the CRD has it already. */
function changed(crd: Crd, condition: CrdCondition): CrdCondition | undefined {
  const known = findCrdCondition(crd, condition.type);
  const { status, reason, message } = condition;
  const isKnown = known?.status === status && known.reason === reason && known.message === message;
  return isKnown ? undefined : condition;
}
