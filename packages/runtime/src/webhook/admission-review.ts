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

/** An admission.k8s.io/v1 AdmissionRequest: what the API server wants to know. */
export interface AdmissionRequest {
  readonly uid: string;
  /** The kind of the object as it is sent, which may be another version than the user's. */
  readonly kind: GroupVersionKind;
  readonly resource: GroupVersionResource;
  readonly subResource?: string;
  readonly requestKind?: GroupVersionKind;
  readonly requestResource?: GroupVersionResource;
  readonly requestSubResource?: string;
  /** "" while the server has to choose it. */
  readonly name?: string;
  readonly namespace?: string;
  readonly operation: AdmissionOperation;
  readonly userInfo: UserInfo;
  /** Absent for DELETE. */
  readonly object?: KubeObject | null;
  /** Only for UPDATE and DELETE. */
  readonly oldObject?: KubeObject | null;
  /** Whether nothing will be stored: a webhook must then have no effects of its own. */
  readonly dryRun?: boolean;
  readonly options?: unknown;
}

/** What a webhook answers; the uid is added. */
export interface AdmissionResponse {
  readonly allowed: boolean;
  /** Why it is not. */
  readonly status?: Status;
  /** Changes of the object, from a mutating webhook only. */
  readonly patch?: readonly JsonPatchOperation[];
  readonly warnings?: readonly string[];
  readonly auditAnnotations?: Readonly<Record<string, string>>;
}

export const admissionApiVersion = "admission.k8s.io/v1";

/** The answer as it goes over the wire. */
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
