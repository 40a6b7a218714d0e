import { ParseError } from "../errors.ts";
import { quote } from "../go/quote.ts";
import type { ObjectMeta } from "./object.ts";

/** Which object of a kind: no namespace for a cluster-scoped one. */
export interface ObjectKey {
  readonly namespace?: string;
  readonly name: string;
}

/** The key of an object; its name is "" while it has none. */
export function objectKeyOf({ metadata }: { readonly metadata: ObjectMeta }): ObjectKey {
  const { namespace, name = "" } = metadata;
  return namespace ? { namespace, name } : { name };
}

/** The key of another object in the namespace of an object. */
export function keyBeside(
  { metadata: { namespace } }: { readonly metadata: ObjectMeta },
  name: string,
): ObjectKey {
  return namespace ? { namespace, name } : { name };
}

/** Writes "namespace/name", or "name" for a cluster-scoped object. */
export function formatObjectKey({ namespace, name }: ObjectKey): string {
  return namespace ? `${namespace}/${name}` : name;
}

/** Reads what `formatObjectKey` wrote. Throws a ParseError. */
export function parseObjectKey(text: string): ObjectKey {
  const [first = "", second, ...rest] = text.split("/");
  if (rest.length > 0) {
    throw new ParseError("object key", text, `unexpected key format: ${quote(text)}`);
  }
  if (second === undefined) return { name: first };
  return first === "" ? { name: second } : { namespace: first, name: second };
}
