import {
  apiVersion,
  type CelField,
  type Field,
  group,
  type KindTable,
  type Message,
  message,
  nameOf,
  nested,
  of,
} from "../message.ts";
import { objectMetaNamed } from "./metadata.ts";

const rule = nested({ 2: nested({ 1: group }) });
const namedRule = nested({ 1: nameOf(2, 2, 3), 2: rule });
const matchResources = nested({ 3: namedRule, 4: namedRule });

const celOf = (kind: string): CelField => ({ type: "cel", place: "admission", kind });
const webhooks = (kind: string, matchConditions: number) => ({
  2: nested({ 3: rule, [matchConditions]: nested({ 2: celOf(kind) }) }),
});
const policy = (fields: Readonly<Record<number, Field>>) => ({
  2: nested({ 1: nested({ 1: apiVersion }), 2: matchResources, ...fields }),
});
const validating = celOf("ValidatingAdmissionPolicy");
const mutating = celOf("MutatingAdmissionPolicy");
const mutation = nested({ 1: mutating });

/** The schemas of properties (29), items (24) and additional properties (30) are nested. */
function schemaOf(place: "schema" | "part", below: (self: Message) => Message): Message {
  const self: (Field | undefined)[] = [];
  const inner = of(below(self));
  const cel: CelField = { type: "cel", place, kind: "CustomResourceDefinition" };
  self.push(
    ...message({
      24: nested({ 1: inner }),
      29: nested({ 2: inner }),
      30: nested({ 2: inner }),
      44: nested({ 1: cel, 3: cel }),
    }),
  );
  return self;
}

const part = schemaOf("part", (self) => self);
const schema = of(schemaOf("schema", () => part));
const policyBinding = { 2: nested({ 3: matchResources }) };

/** Kinds that register groups or webhooks. */
export const registration: KindTable = {
  "admissionregistration.k8s.io": {
    ValidatingWebhookConfiguration: webhooks("ValidatingWebhookConfiguration", 11),
    MutatingWebhookConfiguration: webhooks("MutatingWebhookConfiguration", 12),
    ValidatingAdmissionPolicy: policy({
      3: nested({ 1: validating, 4: validating }),
      5: nested({ 2: validating }),
      6: nested({ 2: validating }),
      7: nested({ 2: validating }),
    }),
    MutatingAdmissionPolicy: policy({
      3: nested({ 2: mutating }),
      4: nested({ 3: mutation, 4: mutation }),
      6: nested({ 2: mutating }),
    }),
    ValidatingAdmissionPolicyBinding: policyBinding,
    MutatingAdmissionPolicyBinding: policyBinding,
  },
  "apiextensions.k8s.io": {
    CustomResourceDefinition: {
      1: of(objectMetaNamed("resourceName")),
      2: nested({ 1: group, 7: nested({ 4: nested({ 1: schema }) }) }),
    },
  },
  "internal.apiserver.k8s.io": {
    StorageVersion: {
      1: of(objectMetaNamed("groupResource")),
      3: nested({ 1: nested({ 2: apiVersion, 3: apiVersion, 4: apiVersion }), 2: apiVersion }),
    },
  },
  "apiregistration.k8s.io": {
    APIService: { 1: of(objectMetaNamed("versionedGroup")), 2: nested({ 2: group }) },
  },
};
