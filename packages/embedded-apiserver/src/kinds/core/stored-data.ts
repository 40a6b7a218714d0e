import { isSameValue } from "../meta/field-rules.ts";
import type { Rule } from "../meta/rules.ts";

/** The maximum size of the data of a ConfigMap or a Secret. */
export const dataMaxBytes = 1024 * 1024;

/** The decoded length of base64 text. */
export function base64Bytes(text: string): number {
  const padding = text.endsWith("==") ? 2 : text.endsWith("=") ? 1 : 0;
  return (text.length / 4) * 3 - padding;
}

interface Immutable {
  immutable?: boolean;
}

/** Once `immutable` is true, it and these fields cannot change. */
export function immutableData<T extends Immutable>(...names: readonly (keyof T)[]): Rule<T> {
  return (object, field) => {
    const old = field.old as T;
    if (old.immutable !== true) return;
    const changed = names.filter((name) => !isSameValue(object[name], old[name]));
    for (const name of object.immutable === true ? changed : ["immutable", ...changed]) {
      field.child(String(name)).forbidden("field is immutable when `immutable` is set");
    }
  };
}
