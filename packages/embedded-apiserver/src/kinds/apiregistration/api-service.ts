import type { APIService, APIServiceSpec } from "@rookery/api";
import {
  FieldError,
  fieldPath,
  formatTime,
  quote,
  validateDns1035Label,
  validateDns1123Subdomain,
  validatePathSegmentName,
} from "@rookery/kube";
import type { BuiltInKind, KindContext } from "../declaration/kind.ts";
import { ageColumn, column, nameColumn } from "../meta/columns.ts";

type Now = Pick<KindContext, "now">;

/** Who serves a version of a group: this server, or one behind a Service. */
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
      column("Service", "string", serviceCell),
      column("Available", "string", availableCell),
      ageColumn,
    ],
    defaults({ spec }) {
      if (spec?.service) spec.service.port ??= 443;
    },
    validateName: validatePathSegmentName,
    prepareForCreate(object) {
      object.status = object.spec?.service ? {} : { conditions: [localCondition(now())] };
    },
    validate: (object) => [...validateName(object), ...validateSpec(object.spec ?? {})],
    validateUpdate: (object) => [...validateName(object), ...validateSpec(object.spec ?? {})],
    status: { validateUpdate: validateConditions },
  };
}

/** What is said of those that this server serves itself. */
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

function validateName({ metadata, spec }: APIService): FieldError[] {
  const required = `${spec?.version ?? ""}.${spec?.group ?? ""}`;
  const name = metadata?.name ?? "";
  if (name === "" || name === required || validatePathSegmentName(name).length > 0) return [];
  const detail = `must be \`spec.version+"."+spec.group\`: ${quote(required)}`;
  return [FieldError.invalid(fieldPath("metadata", "name"), name, detail)];
}

function validateSpec(spec: APIServiceSpec): FieldError[] {
  const { group = "", version = "", groupPriorityMinimum = 0, versionPriority = 0 } = spec;
  const path = fieldPath("spec");
  const legacy = "only v1 may have an empty group and it better be legacy kube";
  return [
    ...(group === "" && version !== "v1" ? [FieldError.required(path.child("group"), legacy)] : []),
    ...(group === "" ? [] : validateDns1123Subdomain(group)).map((problem) =>
      FieldError.invalid(path.child("group"), group, problem),
    ),
    ...validateDns1035Label(version).map((problem) =>
      FieldError.invalid(path.child("version"), version, problem),
    ),
    ...validatePriority(groupPriorityMinimum, 20_000, "groupPriorityMinimum"),
    ...validatePriority(versionPriority, 1000, "versionPriority"),
    ...(spec.service ? validateRemote(spec) : validateLocal(spec)),
  ];
}

function validatePriority(value: number, most: number, field: string): FieldError[] {
  if (value > 0 && value <= most) return [];
  const detail = `must be positive and less than ${most}`;
  return [FieldError.invalid(fieldPath("spec", field), value, detail)];
}

function validateLocal({ caBundle, insecureSkipTLSVerify }: APIServiceSpec): FieldError[] {
  const path = fieldPath("spec");
  const bytes = `${Buffer.from(caBundle ?? "", "base64").length} bytes`;
  const [noBundle, noSkipping] = [
    "local APIServices may not have a caBundle",
    "local APIServices may not have insecureSkipTLSVerify",
  ];
  return [
    ...(caBundle ? [FieldError.invalid(path.child("caBundle"), bytes, noBundle)] : []),
    ...(insecureSkipTLSVerify
      ? [FieldError.invalid(path.child("insecureSkipTLSVerify"), true, noSkipping)]
      : []),
  ];
}

function validateRemote({ service = {}, caBundle, insecureSkipTLSVerify }: APIServiceSpec) {
  const path = fieldPath("spec", "service");
  const { name, namespace, port = 443 } = service;
  const range = "port is not valid: must be between 1 and 65535, inclusive";
  const both = "may not be true if caBundle is present";
  return [
    ...(namespace ? [] : [FieldError.required(path.child("namespace"), "")]),
    ...(name ? [] : [FieldError.required(path.child("name"), "")]),
    ...(port >= 1 && port <= 65535 ? [] : [FieldError.invalid(path.child("port"), port, range)]),
    ...(insecureSkipTLSVerify && caBundle
      ? [FieldError.invalid(fieldPath("spec", "insecureSkipTLSVerify"), true, both)]
      : []),
  ];
}

const statuses = ["True", "False", "Unknown"];

function validateConditions({ status }: APIService): FieldError[] {
  const path = fieldPath("status", "conditions");
  return (status?.conditions ?? []).flatMap(({ status: is = "" }, index) =>
    statuses.includes(is)
      ? []
      : [FieldError.notSupported(path.index(index).child("status"), is, statuses)],
  );
}
