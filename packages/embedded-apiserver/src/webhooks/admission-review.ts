import { randomUUID } from "node:crypto";
import type { AdmissionAttributes } from "@rookery/apiserver";
import type { GroupVersionKind, GroupVersionResource, KubeObject, Status } from "@rookery/kube";
import { WebhookResponseError } from "../errors.ts";

/** A request in a version that the webhook supports. */
export interface Invocation {
  readonly kind: GroupVersionKind;
  readonly resource: GroupVersionResource;
  readonly object: KubeObject | undefined;
  readonly oldObject: KubeObject | undefined;
}

/** The response of a webhook, independent of the version of AdmissionReview. */
export interface AdmissionResponse {
  readonly allowed: boolean;
  /** A JSON patch as text; "" without a patch. */
  readonly patch: string;
  readonly patchType: string;
  readonly status: Partial<Status> | undefined;
  readonly warnings: readonly string[];
  readonly auditAnnotations: Readonly<Record<string, string>>;
}

export type ReviewVersion = "v1" | "v1beta1";

/** The first version that both sides support. */
export function reviewVersionOf(versions: readonly string[]): ReviewVersion | undefined {
  return versions.find((version) => version === "v1" || version === "v1beta1") as
    | ReviewVersion
    | undefined;
}

export function admissionReview(
  attributes: AdmissionAttributes,
  invocation: Invocation,
  version: ReviewVersion,
): { readonly uid: string; readonly review: object } {
  const uid = randomUUID();
  const { object = null, oldObject = null } = invocation;
  const request = { uid, ...admissionRequest(attributes, invocation), object, oldObject };
  const { dryRun, options, ...head } = request;
  const review = {
    kind: "AdmissionReview",
    apiVersion: `admission.k8s.io/${version}`,
    request: { ...head, dryRun, options },
  };
  return { uid, review };
}

/** The request without objects, which is a variable of conditions too. */
export function admissionRequest(attributes: AdmissionAttributes, invocation: Invocation) {
  const { subresource, name, namespace, operation, user, dryRun } = attributes;
  const { kind, resource } = invocation;
  return {
    kind: kindOf(kind),
    resource: resourceOf(resource),
    ...(subresource && { subResource: subresource }),
    requestKind: kindOf(attributes.kind),
    requestResource: resourceOf(attributes.resource),
    ...(subresource && { requestSubResource: subresource }),
    ...(name && { name }),
    ...(namespace && { namespace }),
    operation,
    userInfo: userInfoOf(user),
    dryRun,
    options: optionsOf(attributes),
  };
}

function kindOf({ group, version, kind }: GroupVersionKind) {
  return { group, version, kind };
}

function resourceOf({ group, version, resource }: GroupVersionResource) {
  return { group, version, resource };
}

function userInfoOf({ name, uid, groups, extra }: AdmissionAttributes["user"]) {
  return {
    username: name,
    ...(uid && { uid }),
    ...(groups?.length && { groups }),
    ...(Object.keys(extra ?? {}).length > 0 && { extra }),
  };
}

const optionKinds = { CREATE: "CreateOptions", UPDATE: "UpdateOptions", DELETE: "DeleteOptions" };

/** Patches have UpdateOptions. The default field validation is omitted. */
function optionsOf({ operation, options }: AdmissionAttributes): object | null {
  // The options of CONNECT are the object.
  if (operation === "CONNECT") return null;
  const entries = Object.entries(options as Record<string, unknown>).filter(
    ([name, value]) =>
      value !== "" &&
      value !== undefined &&
      !(Array.isArray(value) && value.length === 0) &&
      !(name === "fieldValidation" && value === "Warn") &&
      name !== "force",
  );
  const kind = optionKinds[operation];
  return { kind, apiVersion: "meta.k8s.io/v1", ...Object.fromEntries(entries) };
}

interface RawResponse {
  readonly uid?: unknown;
  readonly allowed?: unknown;
  readonly status?: Partial<Status>;
  readonly patch?: unknown;
  readonly patchType?: unknown;
  readonly warnings?: readonly string[];
  readonly auditAnnotations?: Readonly<Record<string, string>>;
}

/** Reads the response. Throws a WebhookResponseError if it does not match the request. */
export function readResponse(
  answer: unknown,
  expected: { readonly uid: string; readonly version: ReviewVersion; readonly mutating: boolean },
): AdmissionResponse {
  const review = (answer ?? {}) as { apiVersion?: string; kind?: string; response?: RawResponse };
  const { response } = review;
  if (!response) throw new WebhookResponseError("webhook response was absent");
  if (expected.version === "v1") assertV1(review, expected);
  const patch = textOfPatch(response.patch);
  return {
    allowed: response.allowed === true,
    patch: expected.mutating ? patch : "",
    patchType: expected.version === "v1" ? String(response.patchType ?? "") : "JSONPatch",
    status: response.status ?? undefined,
    warnings: response.warnings ?? [],
    auditAnnotations: response.auditAnnotations ?? {},
  };
}

function assertV1(
  review: { apiVersion?: string; kind?: string; response?: RawResponse },
  { uid, mutating }: { readonly uid: string; readonly mutating: boolean },
): void {
  const { response = {} } = review;
  const mismatch =
    uidProblem(response.uid, uid) ?? kindProblem(review, "admission.k8s.io", "AdmissionReview");
  if (mismatch) throw new WebhookResponseError(mismatch);
  const problem = patchProblem(response, mutating);
  if (problem) throw new WebhookResponseError(problem);
}

/** The error of an answer whose uid is not that of the request. */
export function uidProblem(uid: unknown, expected: string): string | undefined {
  if (uid === expected) return undefined;
  return `expected response.uid=${JSON.stringify(expected)}, got ${JSON.stringify(uid ?? "")}`;
}

/** The error of an answer that is not a review of version v1. */
export function kindProblem(
  { apiVersion = "", kind = "" }: { readonly apiVersion?: string; readonly kind?: string },
  group: string,
  expectedKind: string,
): string | undefined {
  const expected = `${group}/v1`;
  if (apiVersion === expected && kind === expectedKind) return undefined;
  const got = `${apiVersion.includes("/") ? "" : "/"}${apiVersion}, Kind=${kind}`;
  return `expected webhook response of ${expected}, Kind=${expectedKind}, got ${got}`;
}

/** Only mutating webhooks return a patch, together with the type. */
function patchProblem({ patch, patchType }: RawResponse, mutating: boolean): string | undefined {
  const [hasPatch, hasType] = [Boolean(patch), (patchType ?? undefined) !== undefined];
  if (!mutating) {
    if (hasPatch) return "validating webhook may not return response.patch";
    return hasType ? "validating webhook may not return response.patchType" : undefined;
  }
  if (hasPatch && !hasType) return "webhook returned response.patch but not response.patchType";
  if (!hasPatch && hasType) return "webhook returned response.patchType but not response.patch";
  if (patchType === "") return 'webhook returned invalid response.patchType of ""';
  return undefined;
}

function textOfPatch(patch: unknown): string {
  return typeof patch === "string" ? Buffer.from(patch, "base64").toString("utf8") : "";
}
