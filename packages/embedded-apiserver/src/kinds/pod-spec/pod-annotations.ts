import type { PodSpec, Toleration } from "@rookery/api";
import { FieldError, type FieldPath, quote } from "@rookery/kube";
import { containersOf } from "./defaults.ts";
import { validateDescendingPath } from "./paths.ts";
import { validateTolerations } from "./scheduling.ts";

export const mirrorAnnotation = "kubernetes.io/config.mirror";
const tolerationsAnnotation = "scheduler.alpha.kubernetes.io/tolerations";
const deletionCostAnnotation = "controller.kubernetes.io/pod-deletion-cost";
const seccompPod = "seccomp.security.alpha.kubernetes.io/pod";
const seccompContainer = "container.seccomp.security.alpha.kubernetes.io/";
export const appArmorPrefix = "container.apparmor.security.beta.kubernetes.io/";
const localhostPrefix = "localhost/";
const int32 = { min: -(2 ** 31), max: 2 ** 31 - 1 };

type Annotations = Readonly<Record<string, string>>;

/** The annotations that mean something to Kubernetes (Go: ValidatePodSpecificAnnotations). */
export function validatePodAnnotations(
  annotations: Annotations,
  spec: PodSpec,
  path: FieldPath,
): FieldError[] {
  const mirror = annotations[mirrorAnnotation];
  const unbound = "must set spec.nodeName if mirror pod annotation is set";
  return [
    ...(mirror !== undefined && (spec.nodeName ?? "") === ""
      ? [FieldError.invalid(path.key(mirrorAnnotation), mirror, unbound)]
      : []),
    ...validateTolerationsAnnotation(annotations, path),
    ...validateDeletionCost(annotations, path.key(deletionCostAnnotation)),
    ...validateSeccompAnnotations(annotations, path),
    ...validateAppArmorAnnotations(annotations, spec, path),
  ];
}

function validateTolerationsAnnotation(annotations: Annotations, path: FieldPath): FieldError[] {
  const text = annotations[tolerationsAnnotation] ?? "";
  if (text === "") return [];
  try {
    const tolerations = JSON.parse(text) as Toleration[];
    return validateTolerations(tolerations, path.child(tolerationsAnnotation));
  } catch (error) {
    return [FieldError.invalid(path, tolerationsAnnotation, String(error))];
  }
}

function validateDeletionCost(annotations: Annotations, path: FieldPath): FieldError[] {
  const text = annotations[deletionCostAnnotation];
  if (text === undefined) return [];
  const value = Number(text);
  const isInt = /^-?(0|[1-9][0-9]*)$/.test(text) && value >= int32.min && value <= int32.max;
  return isInt ? [] : [FieldError.invalid(path, text, "must be a 32bit integer")];
}

function validateSeccompAnnotations(annotations: Annotations, path: FieldPath): FieldError[] {
  return Object.entries(annotations).flatMap(([key, profile]) =>
    key === seccompPod || key.startsWith(seccompContainer)
      ? validateSeccompText(profile, path.child(key))
      : [],
  );
}

function validateSeccompText(profile: string, path: FieldPath): FieldError[] {
  if (["runtime/default", "docker/default", "unconfined"].includes(profile)) return [];
  if (profile.startsWith(localhostPrefix)) {
    return validateDescendingPath(profile.slice(localhostPrefix.length), path);
  }
  return [FieldError.invalid(path, profile, "must be a valid seccomp profile")];
}

function validateAppArmorAnnotations(
  annotations: Annotations,
  spec: PodSpec,
  path: FieldPath,
): FieldError[] {
  const names = containersOf(spec).map(({ name }) => name);
  const entries = Object.entries(annotations).filter(([key]) => key.startsWith(appArmorPrefix));
  return entries.flatMap(([key, profile]) => {
    const name = key.slice(appArmorPrefix.length);
    const isKnown = ["", "runtime/default", "unconfined"].includes(profile);
    const detail = `invalid AppArmor profile name: ${quote(profile)}`;
    return [
      ...(names.includes(name)
        ? []
        : [FieldError.invalid(path.key(key), name, "container not found")]),
      ...(isKnown || profile.startsWith(localhostPrefix)
        ? []
        : [FieldError.invalid(path.key(key), profile, detail)]),
    ];
  });
}

/** That the old annotations of seccomp say the same as the fields. */
export function validateSeccompMatch(
  annotations: Annotations,
  spec: PodSpec,
  path: FieldPath,
): FieldError[] {
  const pod = spec.securityContext?.seccompProfile;
  const podText = annotations[seccompPod];
  const at = path.child("securityContext", "seccompProfile");
  const lists = ["initContainers", "containers", "ephemeralContainers"] as const;
  return [
    ...(pod !== undefined && podText !== undefined
      ? matchProfile(podText, pod, { noun: "seccomp", path: at })
      : []),
    ...lists.flatMap((list) =>
      (spec[list] ?? []).flatMap(({ name = "", securityContext }, i) => {
        const field = securityContext?.seccompProfile;
        const text = annotations[`${seccompContainer}${name}`];
        if (field === undefined || text === undefined) return [];
        const own = path.child(list).index(i).child("securityContext", "seccompProfile");
        return matchProfile(text, field, { noun: "seccomp", path: own });
      }),
    ),
  ];
}

/** That the old annotations of AppArmor say the same as the fields. */
export function validateAppArmorMatch(
  annotations: Annotations,
  spec: PodSpec,
  path: FieldPath,
): FieldError[] {
  if (spec.os?.name === "windows") return [];
  const lists = ["initContainers", "containers", "ephemeralContainers"] as const;
  return lists.flatMap((list) =>
    (spec[list] ?? []).flatMap(({ name = "", securityContext }, i) => {
      const profile = securityContext?.appArmorProfile ?? spec.securityContext?.appArmorProfile;
      const text = annotations[`${appArmorPrefix}${name}`];
      if (profile === undefined || text === undefined) return [];
      const own = path.child(list).index(i).child("securityContext", "appArmorProfile");
      return matchProfile(text, profile, { noun: "apparmor", path: own });
    }),
  );
}

interface Profile {
  readonly type?: string;
  readonly localhostProfile?: string;
}

/** That a text of old means the same as a field; `noun` is what both are of. */
function matchProfile(
  text: string,
  { type = "", localhostProfile }: Profile,
  { noun, path }: { readonly noun: keyof typeof profileTexts; readonly path: FieldPath },
): FieldError[] {
  const wrongType = `${noun} type in annotation and field must match`;
  const texts: Readonly<Record<string, readonly string[]>> = profileTexts[noun];
  const isLocal = text.startsWith(localhostPrefix);
  const matches = type === "Localhost" ? isLocal : (texts[type]?.includes(text) ?? true);
  if (!matches) return [FieldError.forbidden(path.child("type"), wrongType)];
  if (type !== "Localhost" || text.slice(localhostPrefix.length) === localhostProfile) return [];
  const detail = `${noun} profile in annotation and field must match`;
  return [FieldError.forbidden(path.child("localhostProfile"), detail)];
}

const profileTexts = {
  seccomp: { Unconfined: ["unconfined"], RuntimeDefault: ["runtime/default", "docker/default"] },
  apparmor: { Unconfined: ["unconfined"], RuntimeDefault: ["runtime/default"] },
};
