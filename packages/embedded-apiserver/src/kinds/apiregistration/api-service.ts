import type { APIService, APIServiceSpec } from "@rookery/api";
import { formatTime, quote, validatePathSegmentName } from "@rookery/kube";
import type { BuiltInKind, KindContext } from "../declaration/kind.ts";
import {
  dns1035Label,
  dns1123Subdomain,
  inRange,
  invalidIf,
  oneOf,
  requiredIf,
} from "../meta/checks.ts";
import { ageColumn, columns, nameColumn } from "../meta/columns.ts";
import { each, optional, required, struct, unlessEmpty } from "../meta/combinators.ts";
import type { Field } from "../meta/field.ts";
import { type Rule, type Rules, ruleOf, validator } from "../meta/rules.ts";

type Now = Pick<KindContext, "now">;

/** An APIService names the server of a group version: this server, or one behind a Service. */
export function apiServiceKind({ now }: Now): BuiltInKind<APIService> {
  return {
    group: "apiregistration.k8s.io",
    version: "v1",
    kind: "APIService",
    plural: "apiservices",
    singular: "apiservice",
    namespaced: false,
    categories: ["api-extensions"],
    goType: "k8s.io/kube-aggregator/pkg/apis/apiregistration/v1.APIService",
    model: "io.k8s.kube-aggregator.pkg.apis.apiregistration.v1.APIService",
    requiresResourceVersion: true,
    columns: [
      nameColumn,
      ...columns<APIService>({ Service: serviceCell, Available: availableCell }),
      ageColumn,
    ],
    defaults({ spec }) {
      if (spec?.service) spec.service.port ??= 443;
    },
    validateName: validatePathSegmentName,
    prepareForCreate(object) {
      object.status = object.spec?.service ? {} : { conditions: [localCondition(now())] };
    },
    validate: validateApiService,
    validateUpdate: validateApiService,
    status: { validateUpdate: validateConditions },
  };
}

/** The condition of a group version that this server serves. */
export function localCondition(now: Date) {
  return {
    type: "Available",
    status: "True",
    lastTransitionTime: formatTime(now),
    reason: "Local",
    message: "Local APIServices are always available",
  };
}

function serviceCell({ spec }: APIService): string {
  const { service } = spec ?? {};
  return service ? `${service.namespace}/${service.name}` : "Local";
}

function availableCell({ status }: APIService): string {
  const condition = status?.conditions?.find(({ type }) => type === "Available");
  if (!condition) return "Unknown";
  const { status: is = "", reason } = condition;
  return is === "True" || !reason ? is : `${is} (${reason})`;
}

/** Go: ValidateAPIService, of the name. */
function versionAndGroup({ metadata, spec }: APIService, field: Field): void {
  const needed = `${spec?.version ?? ""}.${spec?.group ?? ""}`;
  const name = metadata?.name ?? "";
  if (name === "" || name === needed || validatePathSegmentName(name).length > 0) return;
  const detail = `must be \`spec.version+"."+spec.group\`: ${quote(needed)}`;
  field.child("metadata", "name").invalid(name, detail);
}

function priority(max: number): Rule<number | undefined> {
  return inRange(1, max, `must be positive and less than ${max}`);
}

const remote = ruleOf<APIServiceSpec>([
  {
    service: {
      namespace: required(),
      name: required(),
      port: optional(
        inRange(1, 65_535, "port is not valid: must be between 1 and 65535, inclusive"),
      ),
    },
  },
  invalidIf(
    "insecureSkipTLSVerify",
    ({ insecureSkipTLSVerify, caBundle }) => Boolean(insecureSkipTLSVerify && caBundle),
    "may not be true if caBundle is present",
  ),
]);

function local({ caBundle, insecureSkipTLSVerify }: APIServiceSpec, field: Field): void {
  if (caBundle) {
    const bytes = `${Buffer.from(caBundle, "base64").length} bytes`;
    field.child("caBundle").invalid(bytes, "local APIServices may not have a caBundle");
  }
  if (insecureSkipTLSVerify) {
    const detail = "local APIServices may not have insecureSkipTLSVerify";
    field.child("insecureSkipTLSVerify").invalid(true, detail);
  }
}

const spec: Rules<APIServiceSpec> = [
  requiredIf(
    "group",
    ({ group, version }) => !group && version !== "v1",
    "only v1 may have an empty group and it better be legacy kube",
  ),
  {
    group: unlessEmpty(dns1123Subdomain),
    version: dns1035Label,
    groupPriorityMinimum: priority(20_000),
    versionPriority: priority(1000),
  },
  (own, field) => (own.service ? remote : local)(own, field),
];

const validateApiService = validator<APIService>([versionAndGroup, { spec: struct(spec) }]);

const validateConditions = validator<APIService>({
  status: { conditions: each({ status: oneOf("True", "False", "Unknown") }) },
});
