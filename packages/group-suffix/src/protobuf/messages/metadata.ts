import type { Form } from "../../forms/form.ts";
import {
  apiVersion,
  type Field,
  type Message,
  mapWith,
  message,
  nameOf,
  nested,
} from "../message.ts";

const lastApplied = "kubectl.kubernetes.io/last-applied-configuration";

const fields: Readonly<Record<number, Field>> = {
  12: mapWith({ [lastApplied]: "lastApplied" }),
  13: nested({ 3: nameOf(1), 5: apiVersion }),
  17: nested({ 3: apiVersion }),
};

export const objectMeta: Message = message(fields);

/** The metadata of objects whose name contains a group. */
export function objectMetaNamed(form: Form): Message {
  return message({ ...fields, 1: { type: "text", form } });
}
