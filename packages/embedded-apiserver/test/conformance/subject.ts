/** A kind on which every verb is tried. */
export interface Subject {
  readonly name: string;
  readonly apiVersion: string;
  readonly kind: string;
  readonly plural: string;
  readonly namespaced: boolean;
  /** How strict decoding and patches go: as those of compiled-in kinds, or of CRDs. */
  readonly custom: boolean;
  readonly status?: StatusSubject;
  readonly scale?: boolean;
  /** A good one, without its metadata. */
  readonly content: Readonly<Record<string, unknown>>;
  /** A merge patch that changes it and leaves it good. */
  readonly change: Readonly<Record<string, unknown>>;
  /** A path as in JSON Patch that is there and may be replaced, and another value for it. */
  readonly pointer: string;
  readonly otherValue: unknown;
  /** Merge patches that make it bad, by what is wrong. */
  readonly bad: Readonly<Record<string, unknown>>;
}

export interface StatusSubject {
  /** What a status may say. */
  readonly good: Readonly<Record<string, unknown>>;
}

export function collectionOf({ apiVersion, plural, namespaced }: Subject): string {
  const root = apiVersion.includes("/") ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
  return namespaced ? `${root}/namespaces/{ns}/${plural}` : `${root}/${plural}`;
}

export function allOf({ apiVersion, plural }: Subject): string {
  const root = apiVersion.includes("/") ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
  return `${root}/${plural}`;
}

/** Names of cluster-scoped objects carry the scenario's namespace, so that scenarios keep apart. */
export function nameOf({ namespaced }: Subject, name: string): string {
  return namespaced ? name : `{ns}-${name}`;
}

export function objectOf(
  subject: Subject,
  name: string,
  metadata: Readonly<Record<string, unknown>> = {},
): Record<string, unknown> {
  const { apiVersion, kind, content } = subject;
  const labels = { scenario: "{ns}", ...(metadata.labels as object | undefined) };
  return {
    apiVersion,
    kind,
    metadata: { name: nameOf(subject, name), ...metadata, labels },
    ...content,
  };
}

export const mergePatch = "application/merge-patch+json";
export const jsonPatch = "application/json-patch+json";
export const strategicPatch = "application/strategic-merge-patch+json";
export const applyPatch = "application/apply-patch+yaml";
export const table = "application/json;as=Table;v=v1;g=meta.k8s.io";
export const partial = "application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io";
export const partialList = "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io";
