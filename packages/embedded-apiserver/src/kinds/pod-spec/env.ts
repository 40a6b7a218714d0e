import type { EnvFromSource, EnvVar, EnvVarSource } from "@rookery/api";
import { validateDns1123Subdomain } from "@rookery/kube";
import {
  configMapKey,
  dns1123Label,
  dns1123Subdomain,
  envVarName,
  format,
} from "../meta/checks.ts";
import { optional, required, unlessEmpty } from "../meta/combinators.ts";
import type { Field } from "../meta/field.ts";
import { type Rule, type Rules, ruleOf } from "../meta/rules.ts";
import { fieldRef, resourceFieldRef } from "./downward-api.ts";
import { noBacksteps } from "./paths.ts";

const envFields = [
  "metadata.name",
  "metadata.namespace",
  "metadata.uid",
  "spec.nodeName",
  "spec.serviceAccountName",
  "status.hostIP",
  "status.hostIPs",
  "status.podIP",
  "status.podIPs",
];
const oneAtATime = "may not have more than one field specified at a time";

const keyRef = { name: dns1123Subdomain, key: required(configMapKey) };

const valueSource: Rules<EnvVarSource | undefined> = {
  fieldRef: optional(fieldRef(envFields)),
  resourceFieldRef: optional(resourceFieldRef("container")),
  configMapKeyRef: keyRef,
  secretKeyRef: keyRef,
  fileKeyRef: {
    key: required(envVarName),
    volumeName: required(dns1123Label),
    path: required(noBacksteps),
  },
};

/** Go: ValidateEnv, of one variable. */
export const envVar: Rules<EnvVar> = [
  { name: required(envVarName), valueFrom: valueSource },
  ({ value = "", valueFrom }, field) => {
    const detail = valueFrom && sourceProblem(valueFrom, value);
    if (detail !== undefined) field.child("valueFrom").invalid("", detail);
  },
];

function sourceProblem(source: EnvVarSource, value: string): string | undefined {
  const count = Object.values(source).filter((each) => each != null).length;
  if (count === 0) {
    return "must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef` or `secretKeyRef`";
  }
  if (value !== "") return "may not be specified when `value` is not empty";
  return count > 1 ? oneAtATime : undefined;
}

/** Go: NameIsDNSSubdomain, which accepts prefixes too. */
const sourceName = required<string>(
  format((name) => {
    const isPrefix = name.length > 1 && name.endsWith("-");
    return validateDns1123Subdomain(isPrefix ? `${name.slice(0, -2)}a` : name);
  }),
);

const envSource = ruleOf<EnvFromSource>({
  prefix: unlessEmpty(envVarName),
  configMapRef: { name: sourceName },
  secretRef: { name: sourceName },
});

/** Go: ValidateEnvFrom. Errors of the number of sources are reported at the list. */
export const envFrom: Rule<readonly EnvFromSource[] | undefined> = (sources, field) => {
  sources?.forEach((source, i) => {
    envSource(source, field.index(i));
    oneSource(source, field);
  });
};

function oneSource({ configMapRef, secretRef }: EnvFromSource, field: Field): void {
  if (configMapRef === undefined && secretRef === undefined) {
    field.invalid("", "must specify one of: `configMapRef` or `secretRef`");
  } else if (configMapRef !== undefined && secretRef !== undefined) field.invalid("", oneAtATime);
}
