/**
 * How a string names an API group.
 *
 * - group: "login.concierge.pinniped.dev"
 * - apiVersion: the same with "/v1"
 * - resourceName: "crontabs.example.com", "count/crontabs.example.com"; a CRD's name
 * - versionedGroup: "v1.example.com", an APIService's name
 * - groupResource: "example.com.crontabs", a StorageVersion's name
 * - modelName: "com.example.v1.CronTab", as OpenAPI names a kind
 * - modelReference: a model name after the last "/", as in "#/definitions/com.example.v1.CronTab"
 * - path: "/apis/example.com/v1", also without the first "/" and below "/openapi/v3"
 * - message: text for people, by whole words
 * - lastApplied: an object as JSON, as kubectl keeps it in an annotation
 * - base64JsonPatch: a JSON Patch as an admission webhook answers it
 * - kindsInYaml: a kind, or several, as OpenAPI has them in Protobuf
 */
export type Form = NameForm | "message" | "lastApplied" | "base64JsonPatch" | "kindsInYaml";

/** The forms that contain one name. */
export type NameForm =
  | "group"
  | "apiVersion"
  | "resourceName"
  | "versionedGroup"
  | "groupResource"
  | "modelName"
  | "modelReference"
  | "path";

/** A replacement of a part of a text. */
export interface TextEdit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Applies sorted edits that do not overlap. */
export function applyEdits(text: string, edits: readonly TextEdit[]): string {
  let result = "";
  let from = 0;
  for (const edit of edits) {
    result += text.slice(from, edit.start) + edit.text;
    from = edit.end;
  }
  return edits.length === 0 ? text : result + text.slice(from);
}
