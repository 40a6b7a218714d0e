import { isIP } from "node:net";
import type { NestedAPIServer, NestedControllerManager, NestedEtcd } from "@rookery/api";
import { FieldError, fieldPath, validateDns1123Subdomain } from "@rookery/kube";
import type { Validator } from "@rookery/runtime";
import { lightStorageOf } from "../api-server/light-storage.ts";
import { changeProblem } from "../component/skew.ts";
import { ServiceRangeError } from "../errors.ts";
import { firstServiceAddresses } from "../pki/service-range.ts";
import type { Allowances } from "../policy/allowances.ts";
import { type ClosedField, closedFields } from "../policy/closed-fields.ts";
import { apiServers, controllerManagers, etcds } from "../resources.ts";
import { changedFields, isUntouched } from "./immutable.ts";
import { refuse } from "./refuse.ts";

type AnyComponent = NestedEtcd | NestedAPIServer | NestedControllerManager;

const path = fieldPath("spec");

/** The validators of components, under what the administrator allows. */
export function componentValidators(allowances: Allowances) {
  const etcd: Validator<NestedEtcd> = {
    create: (etcd) => refuse(etcds, etcd, [...patchProblems(etcd), ...closedNow(etcd)]),
    update: (etcd, old) => {
      if (isUntouched(etcd, old)) return;
      const why = "the volumes of a StatefulSet stay what they are";
      refuse(etcds, etcd, [
        ...patchProblems(etcd),
        ...closedNow(etcd, old),
        ...versionProblems(etcd, old),
        ...changedFields(etcd.spec, old.spec, { path, fields: ["storage"], why }),
      ]);
    },
  };
  const apiServer: Validator<NestedAPIServer> = {
    create: (apiServer) => {
      const problems = [...apiServerProblems(apiServer), ...closedNow(apiServer)];
      refuse(apiServers, apiServer, problems);
    },
    update: (apiServer, old) => {
      if (isUntouched(apiServer, old)) return;
      const fields = ["serviceCidr", "profile"];
      const why = "what the tenant has was made for it";
      refuse(apiServers, apiServer, [
        ...apiServerProblems(apiServer),
        ...closedNow(apiServer, old),
        ...versionProblems(apiServer, old),
        ...changedFields(apiServer.spec, old.spec, { path, fields, why }),
        ...storageProblems(apiServer, old),
      ]);
    },
  };
  const controllerManager: Validator<NestedControllerManager> = {
    create: (manager) =>
      refuse(controllerManagers, manager, [...patchProblems(manager), ...closedNow(manager)]),
    update: (manager, old) => {
      if (isUntouched(manager, old)) return;
      refuse(controllerManagers, manager, [
        ...patchProblems(manager),
        ...closedNow(manager, old),
        ...versionProblems(manager, old),
      ]);
    },
  };
  const closedNow = (component: AnyComponent, old?: AnyComponent) =>
    closedProblems(component, old, allowances);
  return { etcd, apiServer, controllerManager };
}

/** As many as an answer names. */
const mostNamed = 8;

/** What was said before stays, although nothing of the spec is applied then; no more is added to it. */
function closedProblems(
  component: AnyComponent,
  old: AnyComponent | undefined,
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

/** A volume stays what it is, also where nobody has said what it is to be. */
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
  // A certificate may be for all names below one.
  const name = host.replace(/^\*\./, "");
  if (isIP(host) !== 0 || validateDns1123Subdomain(name).length === 0) return [];
  return [FieldError.invalid(at, host, "must be a DNS name or an IP address")];
}

const patchedKinds: Readonly<Record<AnyComponent["kind"], readonly string[]>> = {
  NestedEtcd: ["apps/v1/StatefulSet", "v1/Service", "policy/v1/PodDisruptionBudget"],
  NestedAPIServer: [
    "apps/v1/Deployment",
    "v1/Service",
    "v1/PersistentVolumeClaim",
    "policy/v1/PodDisruptionBudget",
  ],
  NestedControllerManager: ["apps/v1/Deployment", "policy/v1/PodDisruptionBudget"],
};

/** A patch of what the component does not consist of would never be applied. */
function patchProblems({ kind, spec }: AnyComponent): FieldError[] {
  const known = patchedKinds[kind];
  return (spec.patches ?? []).flatMap((patch, index) => {
    const target = `${patch.apiVersion}/${patch.kind}`;
    if (known.includes(target)) return [];
    return [FieldError.notSupported(path.child("patches").index(index), target, known)];
  });
}

/** Against what runs: a version that never came to run may be taken back. */
function versionProblems({ spec }: AnyComponent, old: AnyComponent): FieldError[] {
  const running = old.status?.version;
  if (!spec.version || !running || spec.version === old.spec.version) return [];
  const why = changeProblem(running, spec.version);
  return why ? [FieldError.invalid(path.child("version"), spec.version, why)] : [];
}
