import { FieldError, type FieldPath, type OwnerReference, parseApiVersion } from "@rookery/kube";
import { GoStruct } from "../kinds/meta/internal-form.ts";

type Problems = FieldError[];

/** Go: ValidateOwnerReferences. */
export function ownerProblems(references: readonly OwnerReference[], field: FieldPath): Problems {
  const all = references.map(asStruct);
  let controller = "";
  return references.flatMap((reference) => {
    const problems = referenceProblems(reference, field);
    if (reference.controller !== true) return problems;
    const name = `${reference.kind}/${reference.name}`;
    if (controller !== "") {
      const detail = `Only one reference can have Controller set to true. Found "true" in references for ${controller} and ${name}`;
      return [...problems, FieldError.invalid(field, all, detail)];
    }
    controller = name;
    return problems;
  });
}

function referenceProblems(reference: OwnerReference, field: FieldPath): Problems {
  const { apiVersion = "", kind = "", name = "", uid = "" } = reference;
  const { group, version } = versionOf(apiVersion);
  const empty = (child: string, value: string, detail = "must not be empty") =>
    value === "" ? [FieldError.invalid(field.child(child), value, detail)] : [];
  const problems = [
    ...(version === ""
      ? [FieldError.invalid(field.child("apiVersion"), apiVersion, "version must not be empty")]
      : []),
    ...empty("kind", kind),
    ...empty("name", name),
    ...empty("uid", uid),
  ];
  if (group !== "" || version !== "v1" || kind !== "Event") return problems;
  const detail = "/v1, Kind=Event is disallowed from being an owner";
  return [...problems, FieldError.invalid(field, asStruct(reference), detail)];
}

/** In the order of its fields in Go, which messages show. */
function asStruct(reference: OwnerReference): GoStruct {
  const { apiVersion, kind, name, uid, controller, blockOwnerDeletion } = reference;
  return new GoStruct({ apiVersion, kind, name, uid, controller, blockOwnerDeletion });
}

/** An apiVersion with two slashes has none that counts. */
function versionOf(apiVersion: string): { group: string; version: string } {
  return apiVersion.split("/").length > 2
    ? { group: "", version: "" }
    : parseApiVersion(apiVersion);
}
