import { FieldError, fieldPath, invalidError } from "@rookery/kube";
import { parseYaml } from "@rookery/yaml";
import type { Target } from "../body-renamer.ts";
import { applyEdits } from "../forms/form.ts";
import { nameEdit } from "../forms/name-edit.ts";
import type { GroupMapping } from "../mapping/group-mapping.ts";
import { prefixLength } from "../protobuf/envelope.ts";
import { textsAt } from "../protobuf/find-texts.ts";
import type { Encoding } from "./media-type.ts";

/** What objects are called at most. */
const maxLength = 253;

/** What is sent on. */
export interface RenamedObject {
  readonly bytes: Uint8Array;
  readonly encoding: Encoding;
  readonly target: Target | undefined;
}

/**
 * Throws a StatusError where the name of a definition is too long only because it is renamed: the
 * API server would complain of a name that the app has never heard of.
 */
export function checkName({ bytes, encoding, target }: RenamedObject, mapping: GroupMapping): void {
  const { group, resource } = target ?? {};
  if (group !== "apiextensions.k8s.io" || resource !== "customresourcedefinitions") return;
  const real = nameOf(bytes, encoding);
  if (typeof real !== "string" || real.length <= maxLength) return;
  const edit = nameEdit(real, "resourceName", mapping);
  const name = edit === undefined ? real : applyEdits(real, [edit]);
  if (name.length > maxLength) return;
  const suffix = real.slice(real.indexOf(".") + 1);
  const detail = `may not be more than ${maxLength} bytes, and has ${real.length} after its group was renamed to ${suffix}: choose a shorter suffix`;
  const field = fieldPath("metadata", "name");
  const error = new FieldError("FieldValueTooLong", field, { badValue: "<value omitted>", detail });
  throw invalidError({ group, kind: "CustomResourceDefinition" }, name, [error]);
}

function nameOf(bytes: Uint8Array, encoding: Encoding): unknown {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (encoding === "protobuf") {
    return textsAt(buffer, { start: prefixLength, end: buffer.length }, [2, 1, 1]).at(-1);
  }
  if (encoding === "jsonPatch") return undefined;
  const object = encoding === "json" ? JSON.parse(buffer.toString()) : parseYaml(buffer.toString());
  return object?.metadata?.name;
}
