import type { PodSpec } from "@rookery/api";
import { quote } from "@rookery/kube";
import type { Field } from "../meta/field.ts";
import { containersOf, eachContainer } from "./defaults.ts";
import { descendingPath } from "./paths.ts";

export const mirrorAnnotation = "kubernetes.io/config.mirror";
const deletionCostAnnotation = "controller.kubernetes.io/pod-deletion-cost";
const seccompPod = "seccomp.security.alpha.kubernetes.io/pod";
const seccompContainer = "container.seccomp.security.alpha.kubernetes.io/";
export const appArmorPrefix = "container.apparmor.security.beta.kubernetes.io/";
const localhostPrefix = "localhost/";
const int32 = { min: -(2 ** 31), max: 2 ** 31 - 1 };

type Annotations = Readonly<Record<string, string>>;

/** Go: ValidatePodSpecificAnnotations. `field` is that of the annotations. */
export function podAnnotations(annotations: Annotations, spec: PodSpec, field: Field): void {
  const mirror = annotations[mirrorAnnotation];
  if (mirror !== undefined && !spec.nodeName) {
    const detail = "must set spec.nodeName if mirror pod annotation is set";
    field.key(mirrorAnnotation).invalid(mirror, detail);
  }
  deletionCost(annotations[deletionCostAnnotation] ?? "0", field.key(deletionCostAnnotation));
  for (const [key, profile] of Object.entries(annotations)) {
    const isSeccomp = key === seccompPod || key.startsWith(seccompContainer);
    if (isSeccomp) seccompText(profile, field.child(key));
  }
  const names = new Set(containersOf(spec).map(({ name }) => name));
  for (const [key, profile] of Object.entries(annotations)) {
    if (key.startsWith(appArmorPrefix)) appArmorText(profile, names, field.key(key));
  }
}

function deletionCost(text: string, field: Field): void {
  const value = Number(text);
  const isInt = /^-?(0|[1-9][0-9]*)$/.test(text) && value >= int32.min && value <= int32.max;
  if (!isInt) field.invalid(text, "must be a 32bit integer");
}

function seccompText(profile: string, field: Field): void {
  if (["runtime/default", "docker/default", "unconfined"].includes(profile)) return;
  if (profile.startsWith(localhostPrefix)) {
    descendingPath(profile.slice(localhostPrefix.length), field);
  } else field.invalid(profile, "must be a valid seccomp profile");
}

function appArmorText(profile: string, names: ReadonlySet<unknown>, field: Field): void {
  const name = field.name.slice(appArmorPrefix.length);
  const isKnown = ["", "runtime/default", "unconfined"].includes(profile);
  if (!names.has(name)) field.invalid(name, "container not found");
  if (isKnown || profile.startsWith(localhostPrefix)) return;
  field.invalid(profile, `invalid AppArmor profile name: ${quote(profile)}`);
}

interface Profile {
  readonly type?: string;
  readonly localhostProfile?: string;
}

/** An old annotation has to agree with the field that replaced it. */
interface Agreement {
  readonly noun: "seccomp" | "apparmor";
  readonly name: "seccompProfile" | "appArmorProfile";
  /** The texts of the types in annotations. */
  readonly texts: Readonly<Record<string, readonly string[]>>;
}

const seccomp: Agreement = {
  noun: "seccomp",
  name: "seccompProfile",
  texts: { Unconfined: ["unconfined"], RuntimeDefault: ["runtime/default", "docker/default"] },
};
const appArmor: Agreement = {
  noun: "apparmor",
  name: "appArmorProfile",
  texts: { Unconfined: ["unconfined"], RuntimeDefault: ["runtime/default"] },
};

/** Go: validateSeccompAnnotationsAndFields and validateAppArmorAnnotationsAndFields. */
export function profilesAgree(annotations: Annotations, spec: PodSpec, field: Field): void {
  const pod = spec.securityContext;
  profileAgrees(annotations[seccompPod], pod?.seccompProfile, {
    agreement: seccomp,
    field: field.child("securityContext"),
  });
  eachContainer(spec, field, (container, at) => {
    const text = annotations[`${seccompContainer}${container.name ?? ""}`];
    profileAgrees(text, container.securityContext?.seccompProfile, {
      agreement: seccomp,
      field: at.child("securityContext"),
    });
  });
  if (spec.os?.name === "windows") return;
  eachContainer(spec, field, (container, at) => {
    const text = annotations[`${appArmorPrefix}${container.name ?? ""}`];
    const profile = container.securityContext?.appArmorProfile ?? pod?.appArmorProfile;
    profileAgrees(text, profile, { agreement: appArmor, field: at.child("securityContext") });
  });
}

function profileAgrees(
  text: string | undefined,
  profile: Profile | undefined,
  { agreement, field }: { readonly agreement: Agreement; readonly field: Field },
): void {
  if (text === undefined || profile === undefined) return;
  const { noun, name, texts } = agreement;
  const { type = "", localhostProfile } = profile;
  const isLocal = type === "Localhost";
  const matches = isLocal
    ? text.startsWith(localhostPrefix)
    : (texts[type]?.includes(text) ?? true);
  if (!matches) {
    const detail = `${noun} type in annotation and field must match`;
    field.child(name, "type").forbidden(detail);
  } else if (isLocal && text.slice(localhostPrefix.length) !== localhostProfile) {
    const detail = `${noun} profile in annotation and field must match`;
    field.child(name, "localhostProfile").forbidden(detail);
  }
}
