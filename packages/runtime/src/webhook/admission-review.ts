import type {
  GroupVersionKind,
  GroupVersionResource,
  JsonPatchOperation,
  KubeObject,
  Status,
} from "@rookery/kube";

export type AdmissionOperation = "CREATE" | "UPDATE" | "DELETE" | "CONNECT";

interface UserInfo {
  readonly username?: string;
  readonly uid?: string;
  readonly groups?: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

/** An admission.k8s.io/v1 AdmissionRequest. */
export interface AdmissionRequest {
  readonly uid: string;
  /** The kind of the object in the request, which may be of another version than the user's. */
  readonly kind: GroupVersionKind;
  readonly resource: GroupVersionResource;
  readonly subResource?: string;
  readonly requestKind?: GroupVersionKind;
  readonly requestResource?: GroupVersionResource;
  readonly requestSubResource?: string;
  /** "" if the server generates it. */
  readonly name?: string;
  readonly namespace?: string;
  readonly operation: AdmissionOperation;
  readonly userInfo: UserInfo;
  /** Absent for DELETE. */
  readonly object?: KubeObject | null;
  /** For UPDATE and DELETE only. */
  readonly oldObject?: KubeObject | null;
  /** Whether nothing will be stored: the webhook must have no side effects. */
  readonly dryRun?: boolean;
  readonly options?: unknown;
}

/** The response of a webhook, without the uid. */
export interface AdmissionResponse {
  readonly allowed: boolean;
  /** The reason of a denial. */
  readonly status?: Status;
  /** Changes of the object; for mutating webhooks only. */
  readonly patch?: readonly JsonPatchOperation[];
  readonly warnings?: readonly string[];
  readonly auditAnnotations?: Readonly<Record<string, string>>;
}

export const admissionApiVersion = "admission.k8s.io/v1";

/** The review that the API server gets. */
export function admissionReviewOf(uid: string, response: AdmissionResponse): object {
  const { patch = [], warnings = [], ...rest } = response;
  const encoded = patch.length > 0 && {
    patch: Buffer.from(JSON.stringify(patch)).toString("base64"),
    patchType: "JSONPatch",
  };
  return {
    apiVersion: admissionApiVersion,
    kind: "AdmissionReview",
    response: { uid, ...rest, ...encoded, ...(warnings.length > 0 && { warnings }) },
  };
}
