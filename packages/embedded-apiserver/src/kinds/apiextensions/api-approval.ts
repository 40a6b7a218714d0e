import type { BuiltInCustomResourceDefinition } from "@rookery/api";
import { FieldError, fieldPath, quote } from "@rookery/kube";
import { parseUrl } from "@rookery/schema";

const annotation = "api-approved.kubernetes.io";
const link = "https://github.com/kubernetes/enhancements/pull/1111";

/** Whether the community of Kubernetes agreed to an API in one of its groups. */
export interface ApiApproval {
  readonly state: "Approved" | "Bypassed" | "Missing" | "Invalid";
  readonly message: string;
}

/** Undefined for groups that are nobody's business. */
export function apiApprovalOf({
  metadata,
  spec,
}: BuiltInCustomResourceDefinition): ApiApproval | undefined {
  if (!/(^|\.)(k8s|kubernetes)\.io$/.test(spec?.group ?? "")) return undefined;
  const value = metadata?.annotations?.[annotation] ?? "";
  const demand = `protected groups must have approval annotation ${quote(annotation)}`;
  if (value === "") return { state: "Missing", message: `${demand}, see ${link}` };
  if (value.startsWith("unapproved")) {
    return { state: "Bypassed", message: `not approved: ${quote(value)}` };
  }
  if (isUrl(value)) return { state: "Approved", message: `approved in ${value}` };
  const message = `${demand} with either a URL or a reason starting with "unapproved", see ${link}`;
  return { state: "Invalid", message };
}

function isUrl(text: string): boolean {
  try {
    const { scheme, host } = parseUrl(text);
    return scheme !== "" && host !== "";
  } catch {
    return false;
  }
}

/** What does not change may stay as it is. */
export function validateApiApproval(
  crd: BuiltInCustomResourceDefinition,
  old: BuiltInCustomResourceDefinition | undefined,
): FieldError[] {
  const approval = apiApprovalOf(crd);
  if (!approval || (old && apiApprovalOf(old)?.state === approval.state)) return [];
  const path = fieldPath("metadata", "annotations").key(annotation);
  const value = crd.metadata?.annotations?.[annotation] ?? "";
  if (approval.state === "Missing") return [FieldError.required(path, approval.message)];
  return approval.state === "Invalid" ? [FieldError.invalid(path, value, approval.message)] : [];
}
