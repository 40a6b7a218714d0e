import type { BuiltInCustomResourceDefinition } from "@rookery/api";
import { quote } from "@rookery/kube";
import { parseUrl } from "@rookery/schema";
import type { Field } from "../meta/field.ts";

const annotation = "api-approved.kubernetes.io";
const link = "https://github.com/kubernetes/enhancements/pull/1111";

/** The approval of an API in a protected group by the Kubernetes community. */
export interface ApiApproval {
  readonly state: "Approved" | "Bypassed" | "Missing" | "Invalid";
  readonly message: string;
}

/** The parts of a CRD that its approval depends on. */
interface Approvable {
  readonly metadata?: { readonly annotations?: Readonly<Record<string, string>> };
  readonly spec?: { readonly group?: string };
}

/** Undefined for groups that need no approval. */
export function apiApprovalOf({ metadata, spec }: Approvable): ApiApproval | undefined {
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

/** Go: validateAPIApproval. An unchanged state is valid. */
export function apiApproval(crd: BuiltInCustomResourceDefinition, field: Field): void {
  const old = field.old as BuiltInCustomResourceDefinition | undefined;
  const approval = apiApprovalOf(crd);
  if (!approval || (old && apiApprovalOf(old)?.state === approval.state)) return;
  const at = field.child("metadata", "annotations").key(annotation);
  const value = crd.metadata?.annotations?.[annotation] ?? "";
  if (approval.state === "Missing") at.required(approval.message);
  if (approval.state === "Invalid") at.invalid(value, approval.message);
}
