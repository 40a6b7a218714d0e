import { shownStruct } from "../pod-spec/internal-form.ts";
import { unifiedDiff } from "./unified-diff.ts";

/** What has changed between two values of an internal type, as messages of Kubernetes show it. */
export function goDiff(type: string, old: object, value: object): string {
  return unifiedDiff(goJson(type, old), goJson(type, value));
}

/** Go's json.MarshalIndent: indented by one, with <, > and & escaped. */
function goJson(type: string, value: object): string {
  const text = JSON.stringify(shownStruct(type, { ...value }), undefined, 1);
  return text.replace(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
