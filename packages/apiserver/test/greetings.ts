import type { CreateRequest, ServedGroup, ServedResource } from "@rookery/apiserver";
import type { KubeList, KubeObject } from "@rookery/kube";

interface GreetingSpec {
  readonly name: string;
  readonly times: number;
}

const version = "v1";

/** A kind without a store: a Greeting is answered and forgotten, the list of them is empty. */
export function greetingGroup(
  name = "greetings.testing.rookery.dev",
  changes: Partial<ServedResource> = {},
): ServedGroup {
  const apiVersion = `${name}/${version}`;
  return { name, versions: [{ name: version, resources: [greetings(apiVersion, changes)] }] };
}

function greetings(apiVersion: string, changes: Partial<ServedResource>): ServedResource {
  return {
    plural: "greetings",
    singular: "greeting",
    kind: "Greeting",
    namespaced: false,
    shortNames: ["grt"],
    categories: ["all"],
    schema: greetingSchema,
    handlers: { create: greet, list: () => emptyList(apiVersion) },
    ...changes,
  };
}

export const greetingSchema = {
  type: "object",
  description: "Says hello to someone.",
  required: ["spec"],
  properties: {
    spec: {
      type: "object",
      required: ["name"],
      properties: {
        name: { type: "string", minLength: 1, description: "Whom to greet." },
        times: { type: "integer", default: 1, description: "How often." },
      },
    },
    status: {
      type: "object",
      properties: { message: { type: "string" }, user: { type: "string" } },
    },
  },
} as const;

function greet({ object, user }: CreateRequest): KubeObject {
  const { name, times } = object.spec as GreetingSpec;
  const message = Array.from({ length: times }, () => `hello ${name}`).join(", ");
  return { ...object, status: { message, user: user.name } };
}

function emptyList(apiVersion: string): KubeList {
  return { apiVersion, kind: "GreetingList", metadata: { resourceVersion: "0" }, items: [] };
}
