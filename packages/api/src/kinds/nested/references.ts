import { object } from "../../declaration/collections.ts";
import { optional, required } from "../../declaration/fields.ts";
import { integer, string } from "../../declaration/scalars.ts";

const NAME = { minLength: 1, maxLength: 253 };

/** A corev1.ObjectReference with all fields. */
export function fullObjectReference() {
  return object(
    {
      apiVersion: required(string({ minLength: 1 }), "The API group and version of the object."),
      kind: required(string({ minLength: 1 }), "The kind of the object."),
      name: required(string(NAME), "The name of the object."),
      namespace: optional(
        string({ maxLength: 253 }),
        "The namespace of the object: the referrer's own, and no other.",
      ),
      uid: optional(string(), "The UID of the object. Not looked at."),
      resourceVersion: optional(string(), "The version of the object. Not looked at."),
      fieldPath: optional(string(), "A part of the object. Not looked at."),
    },
    { atomic: true },
  );
}

/** A host and a port: "" and 0 before they are known. */
export function apiEndpoint() {
  return object({
    host: required(string({ maxLength: 512 }), "The host name or address."),
    port: required(integer({ format: "int32", minimum: 0, maximum: 65535 }), "The port."),
  });
}

/** The address of an etcd member. */
export function etcdAddress() {
  return object({
    ip: optional(string(), "The address of the member."),
    hostname: optional(string(), "The name of the member."),
    port: required(
      integer({ format: "int32", minimum: 1, maximum: 65535 }),
      "The port on which clients are served.",
    ),
  });
}
