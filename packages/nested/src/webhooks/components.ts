import { isIP } from "node:net";
import type { NestedAPIServer, NestedControllerManager, NestedEtcd } from "@rookery/api";
import { FieldError, fieldPath, type Resource, validateDns1123Subdomain } from "@rookery/kube";
import type { Validator } from "@rookery/runtime";
import { lightStorageOf } from "../api-server/policies.ts";
import type { ComponentObject } from "../component-object.ts";
import { ServiceRangeError } from "../errors.ts";
import { firstServiceAddresses } from "../pki/service-range.ts";
import type { Allowances } from "../policy/allowances.ts";
import { type ClosedField, closedFields } from "../policy/closed-fields.ts";
import { apiServers, controllerManagers, etcds } from "../resources.ts";
import { changedFields, isUntouched, refuse, versionProblems } from "./problems.ts";

const path = fieldPath("spec");

interface ComponentRules<T> {
  /** The problems of an object, besides those of closed fields. */
  readonly problems: (component: T) => FieldError[];
  /** The problems of a change, besides those of the version. */
  readonly changes?: (component: T, old: T) => FieldError[];
}

/** The validators of components under the administrator's allowances. */
export function componentValidators(allowances: Allowances) {
  const validator = <T extends ComponentObject>(
    resource: Resource,
    { problems, changes = () => [] }: ComponentRules<T>,
  ): Validator<T> => ({
    create: (component) =>
      refuse(resource, component, [
        ...problems(component),
        ...closedProblems(component, undefined, allowances),
      ]),
    update: (component, old) => {
      if (isUntouched(component, old)) return;
      refuse(resource, component, [
        ...problems(component),
        ...closedProblems(component, old, allowances),
        ...versionProblems(component, old),
        ...changes(component, old),
      ]);
    },
  });
  return {
    etcd: validator<NestedEtcd>(etcds, {
      problems: patchProblems,
      changes: ({ spec }, old) => {
        const why = "the volumes of a StatefulSet stay what they are";
        return changedFields(spec, old.spec, { path, fields: ["storage"], why });
      },
    }),
    apiServer: validator<NestedAPIServer>(apiServers, {
      problems: apiServerProblems,
      changes: (apiServer, old) => {
        const options = {
          path,
          fields: ["serviceCidr", "profile"],
          why: "what the tenant has was made for it",
        };
        return [
          ...changedFields(apiServer.spec, old.spec, options),
          ...storageProblems(apiServer, old),
        ];
      },
    }),
    controllerManager: validator<NestedControllerManager>(controllerManagers, {
      problems: patchProblems,
    }),
  };
}

/** The limit of closed fields in one answer. */
const mostNamed = 8;

/** Closed fields that the object had already may stay, although its spec is not applied then. */
function closedProblems(
  component: ComponentObject,
  old: ComponentObject | undefined,
  allowances: Allowances,
): FieldError[] {
  const key = ({ why, value }: ClosedField) => JSON.stringify([why, value]);
  const before = new Set(old && closedFields(old, allowances).map(key));
  return closedFields(component, allowances)
    .filter((one) => !before.has(key(one)))
    .slice(0, mostNamed)
    .map(({ path: at, why }) => FieldError.forbidden(at, why));
}

function apiServerProblems(apiServer: NestedAPIServer): FieldError[] {
  const { serviceCidr, certSANs = [], service } = apiServer.spec;
  const sans = path.child("certSANs");
  return [
    ...patchProblems(apiServer),
    ...rangeProblems(serviceCidr),
    ...certSANs.flatMap((name, index) => hostProblems(name, sans.index(index))),
    ...(service.host ? hostProblems(service.host, path.child("service", "host")) : []),
  ];
}

/** The storage cannot be changed, not even if the default is used. */
function storageProblems({ spec }: NestedAPIServer, old: NestedAPIServer): FieldError[] {
  if (spec.profile !== "light") return [];
  const [after, before] = [spec, old.spec].map((one) => ({ storage: lightStorageOf(one) }));
  const options = { path, fields: ["storage"], why: "the tenant's data is there" };
  return changedFields(after ?? {}, before ?? {}, options);
}

function rangeProblems(serviceCidr: string): FieldError[] {
  try {
    firstServiceAddresses(serviceCidr);
    return [];
  } catch (error) {
    if (!(error instanceof ServiceRangeError)) throw error;
    return [FieldError.invalid(path.child("serviceCidr"), serviceCidr, error.message)];
  }
}

function hostProblems(host: string, at: typeof path): FieldError[] {
  // A certificate may have a wildcard.
  const name = host.replace(/^\*\./, "");
  if (isIP(host) !== 0 || validateDns1123Subdomain(name).length === 0) return [];
  return [FieldError.invalid(at, host, "must be a DNS name or an IP address")];
}

const patchedKinds: Readonly<Record<ComponentObject["kind"], readonly string[]>> = {
  NestedEtcd: ["apps/v1/StatefulSet", "v1/Service", "policy/v1/PodDisruptionBudget"],
  NestedAPIServer: [
    "apps/v1/Deployment",
    "v1/Service",
    "v1/PersistentVolumeClaim",
    "policy/v1/PodDisruptionBudget",
  ],
  NestedControllerManager: ["apps/v1/Deployment", "policy/v1/PodDisruptionBudget"],
};

/** Patches must be of kinds that the component consists of. */
function patchProblems({ kind, spec }: ComponentObject): FieldError[] {
  const known = patchedKinds[kind];
  return (spec.patches ?? []).flatMap((patch, index) => {
    const target = `${patch.apiVersion}/${patch.kind}`;
    if (known.includes(target)) return [];
    return [FieldError.notSupported(path.child("patches").index(index), target, known)];
  });
}
