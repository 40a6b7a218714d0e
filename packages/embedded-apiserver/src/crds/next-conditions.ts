import { caBundleProblem } from "../kinds/admissionregistration/client-config.ts";
import { apiApprovalOf } from "../kinds/apiextensions/api-approval.ts";
import {
  type CrdCondition,
  findCrdCondition,
  isCrdConditionTrue,
} from "../kinds/apiextensions/conditions.ts";
import { asDefinition, type Crd } from "./crd.ts";

/** That a kind is served from now on; undefined where that was said, or is not so. */
export function establishedCondition(crd: Crd): CrdCondition | undefined {
  const definition = asDefinition(crd);
  const isAccepted = isCrdConditionTrue(definition, "NamesAccepted");
  if (!isAccepted || isCrdConditionTrue(definition, "Established")) return undefined;
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

/** Of groups of Kubernetes alone; undefined where it was said. */
export function approvalCondition(crd: Crd): CrdCondition | undefined {
  const approval = apiApprovalOf(asDefinition(crd));
  if (!approval) return undefined;
  const { state, message } = approval;
  const type = "KubernetesAPIApprovalPolicyConformant";
  return changed(crd, { type, ...approvals[state], message });
}

function changed(crd: Crd, condition: CrdCondition): CrdCondition | undefined {
  const known = findCrdCondition(asDefinition(crd), condition.type);
  const { status, reason, message } = condition;
  const isKnown = known?.status === status && known.reason === reason && known.message === message;
  return isKnown ? undefined : condition;
}
