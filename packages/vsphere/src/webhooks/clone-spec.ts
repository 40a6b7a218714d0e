import { isIP } from "node:net";
import type { VSphereMachine } from "@rookery/api";
import {
  deepEqual,
  FieldError,
  type FieldPath,
  type KubeObject,
  parseDuration,
} from "@rookery/kube";
import { isBeingDeleted } from "@rookery/runtime";

type CloneSpec = Omit<VSphereMachine["spec"], "providerID" | "failureDomain">;

/** The mistakes in the spec of a clone that its schema does not find. */
export function cloneSpecProblems(spec: CloneSpec, path: FieldPath): FieldError[] {
  return [...addressProblems(spec, path), ...powerOffProblems(spec, path)];
}

function addressProblems({ network }: CloneSpec, path: FieldPath): FieldError[] {
  const devices = path.child("network", "devices");
  return network.devices.flatMap(({ ipAddrs = [] }, i) =>
    ipAddrs.flatMap((address, j) => {
      if (isCidr(address)) return [];
      const field = devices.index(i).child("ipAddrs").index(j);
      return [
        FieldError.invalid(
          field,
          address,
          "it must be an address with its prefix, such as 10.0.0.7/24",
        ),
      ];
    }),
  );
}

function isCidr(text: string): boolean {
  const [address = "", prefix = "", ...more] = text.split("/");
  const version = isIP(address);
  const longest = version === 4 ? 32 : 128;
  return version > 0 && more.length === 0 && /^\d{1,3}$/.test(prefix) && Number(prefix) <= longest;
}

function powerOffProblems(spec: CloneSpec, path: FieldPath): FieldError[] {
  const { guestSoftPowerOffTimeout: timeout, powerOffMode } = spec;
  if (timeout === undefined) return [];
  const field = path.child("guestSoftPowerOffTimeout");
  const isLate = powerOffMode !== "trySoft";
  const isZero = parseDuration(timeout) <= 0n;
  return [
    ...(isLate
      ? [FieldError.invalid(field, timeout, "it only goes with powerOffMode trySoft")]
      : []),
    ...(isZero ? [FieldError.invalid(field, timeout, "it must be greater than 0")] : []),
  ];
}

type Spec = Readonly<Record<string, unknown>>;
type WithSpec = Pick<KubeObject, "metadata" | "spec">;

/** The problems of a spec in which fields changed that are immutable. */
export function changedSpec(
  spec: Spec,
  old: Spec,
  { path, except }: { readonly path: FieldPath; readonly except: readonly string[] },
): FieldError[] {
  const names = [...new Set([...Object.keys(spec), ...Object.keys(old)])].sort();
  const changed = names.filter(
    (name) => !except.includes(name) && !deepEqual(spec[name], old[name]),
  );
  return changed.map((name) =>
    FieldError.forbidden(path.child(name), "it cannot be changed; create another object instead"),
  );
}

/** Whether an object is exempt: the finalizers of an object that is not valid any more must be removable. */
export function isUntouched(object: WithSpec, old: WithSpec): boolean {
  return isBeingDeleted(object) || deepEqual(object.spec, old.spec);
}
