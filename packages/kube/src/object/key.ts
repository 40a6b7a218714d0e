import { ParseError } from "../errors.ts";
import { quote } from "../go/quote.ts";
import type { ObjectMeta } from "./object.ts";

/** The identity of an object within its kind; without a namespace for a cluster-scoped one. */
export interface ObjectKey {
  readonly namespace?: string;
  readonly name: string;
}

/** The key of an object; the name is "" before the object has one. */
export function objectKeyOf({ metadata }: { readonly metadata: ObjectMeta }): ObjectKey {
  const { namespace, name = "" } = metadata;
  return namespace ? { namespace, name } : { name };
}

/** The key of another object in the same namespace. */
export function keyBeside(
  { metadata: { namespace } }: { readonly metadata: ObjectMeta },
  name: string,
): ObjectKey {
  return namespace ? { namespace, name } : { name };
}

/** "namespace/name", or "name" for a cluster-scoped object. */
export function formatObjectKey({ namespace, name }: ObjectKey): string {
  return namespace ? `${namespace}/${name}` : name;
}

/** The inverse of `formatObjectKey`. Throws a ParseError. */
export function parseObjectKey(text: string): ObjectKey {
  const [first = "", second, ...rest] = text.split("/");
  if (rest.length > 0) {
    throw new ParseError("object key", text, `unexpected key format: ${quote(text)}`);
  }
  if (second === undefined) return { name: first };
  return first === "" ? { name: second } : { namespace: first, name: second };
}
