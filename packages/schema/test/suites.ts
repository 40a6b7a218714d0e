import { fieldPath } from "@rookery/kube";
import {
  applyDefaults,
  checkStructural,
  compileSchema,
  type JSONObject,
  type JSONSchemaProps,
} from "@rookery/schema";
import { type Kind, kindOf, objectOf } from "./crd.ts";
import { featureSchema, featureSpecs, metadataCases } from "./features.ts";
import { ratchetUpdates, ruleSchema, ruleSpecs, ruleUpdates } from "./rules.ts";
import { statusSchema, statusUpdates } from "./status.ts";
import type { Request } from "./verdict.ts";

/** Something to ask a server: an object alone, or an update of one that is stored. */
export interface Case {
  readonly stored?: JSONObject;
  readonly request: (stored: JSONObject) => Request;
}

export interface Suite {
  readonly kind: Kind;
  /** What a server keeps of an object that is created. */
  readonly keep?: (object: JSONObject) => JSONObject;
  readonly cases: Readonly<Record<string, Case>>;
}

export const example = (kind: string, schema: JSONSchemaProps, subresources?: object): Kind =>
  kindOf({
    group: "example.com",
    version: "v1",
    kind,
    plural: `${kind.toLowerCase()}s`,
    schema,
    ...(subresources ? { subresources } : {}),
  });

export const features = ((): Suite => {
  const kind = example("Feature", featureSchema);
  const cases: Record<string, Case> = {};
  const add = (name: string, object: JSONObject): void => {
    cases[name] = { request: () => ({ object }) };
    cases[`${name}, strictly`] = { request: () => ({ object, strict: true }) };
  };
  for (const [name, spec] of Object.entries(featureSpecs)) add(name, objectOf(kind, { spec }));
  for (const [name, metadata] of Object.entries(metadataCases)) {
    add(`metadata: ${name}`, { ...objectOf(kind, {}), metadata });
  }
  return { kind, cases };
})();

export const rules = ((): Suite => {
  const kind = example("Rule", ruleSchema);
  const cases: Record<string, Case> = {};
  for (const [name, spec] of Object.entries(ruleSpecs)) {
    cases[name] = { request: () => ({ object: objectOf(kind, { spec }) }) };
  }
  const update = (name: string, [old, spec]: readonly [JSONObject, JSONObject]): void => {
    const stored = objectOf(kind, { spec: old }, `stored-${Object.keys(cases).length}`);
    cases[name] = { stored, request: (old) => ({ object: { ...old, spec }, old }) };
  };
  for (const [name, row] of Object.entries(ruleUpdates)) update(`an update where ${name}`, row);
  for (const [name, row] of Object.entries(ratchetUpdates)) update(`ratcheting where ${name}`, row);
  return { kind, cases };
})();

export const statuses = ((): Suite => {
  const kind = example("Statusful", statusSchema, { status: {} });
  const cases: Record<string, Case> = {};
  for (const [index, [name, { stored, request }]] of Object.entries(statusUpdates).entries()) {
    const { fields, ...more } = request;
    cases[name] = {
      stored: objectOf(kind, stored, `stored-${index}`),
      request: (old) => ({ object: { ...old, ...fields }, old, statusSubresource: true, ...more }),
    };
  }
  const schema = compileSchema(statusSchema);
  const keep = ({ status: _, ...rest }: JSONObject): JSONObject => applyDefaults(schema, rest);
  return { kind, keep, cases };
})();

/** What is wrong with the schema of a CRD that has only one version, in our words. */
export function structuralProblems(schema: JSONSchemaProps): readonly string[] {
  const errors = checkStructural(schema, { path: fieldPath("spec", "validation") });
  return errors
    .map(({ field, body, type }) => withoutTypeNames(`${field}: ${body} [${type}]`))
    .toSorted();
}

/** The server makes up a name for the type of `self` each time. */
export function withoutTypeNames(text: string): string {
  return text.replace(/selfType\d*/g, "selfType");
}
