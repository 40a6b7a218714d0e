import type { EventSource, ObjectReference } from "@rookery/api";
import { GoStruct } from "../meta/go-struct.ts";

/** A reference as an error shows it. */
export function shownReference(reference: ObjectReference): GoStruct {
  return new GoStruct({
    Kind: reference.kind ?? "",
    Namespace: reference.namespace ?? "",
    Name: reference.name ?? "",
    UID: reference.uid ?? "",
    APIVersion: reference.apiVersion ?? "",
    ResourceVersion: reference.resourceVersion ?? "",
    FieldPath: reference.fieldPath ?? "",
  });
}

export function shownSource({ component = "", host = "" }: EventSource): GoStruct {
  return new GoStruct({ Component: component, Host: host });
}
