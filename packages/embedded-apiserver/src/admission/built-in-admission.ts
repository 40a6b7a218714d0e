import type { AdmissionPlugin, Authorizer } from "@rookery/apiserver";
import { UnknownPluginError } from "../errors.ts";
import { createEscalationCheck } from "../rbac/escalation.ts";
import type { RuleResolver } from "../rbac/rule-resolver.ts";
import type { Store } from "../store/store.ts";
import { createCertificateAdmission, createCertificateRequester } from "./certificates.ts";
import { createNamespaceLifecycle } from "./namespace-lifecycle.ts";
import { createPodSecurity } from "./pod-security.ts";
import { createPriority } from "./priority.ts";
import {
  createDefaultStorageClass,
  createDefaultTolerationSeconds,
  createStorageProtection,
  createTaintNodesByCondition,
} from "./scheduling-defaults.ts";
import { createServiceAccountAdmission } from "./service-account.ts";

export interface BuiltInAdmissionOptions {
  readonly store: Store;
  readonly authorize: Authorizer;
  readonly resolver: RuleResolver;
  /** Those that ask webhooks. */
  readonly webhooks?: readonly AdmissionPlugin[];
  /** Names of plugins that are left out. */
  readonly disabled?: readonly string[];
}

/** By the names that kube-apiserver has for them, in their order. */
export const pluginNames: readonly string[] = [
  "NamespaceLifecycle",
  "ServiceAccount",
  "TaintNodesByCondition",
  "PodSecurity",
  "Priority",
  "DefaultTolerationSeconds",
  "DefaultStorageClass",
  "StorageObjectInUseProtection",
  "CertificateApproval",
  "CertificateSigning",
  "CertificateSubjectRestriction",
  "MutatingAdmissionWebhook",
  "ValidatingAdmissionWebhook",
];

/** Throws an UnknownPluginError where there is no plugin of a name. */
export function assertPlugins(names: readonly string[]): void {
  const unknown = names.find((name) => !pluginNames.includes(name));
  if (unknown !== undefined) throw new UnknownPluginError(unknown, pluginNames);
}

/**
 * The plugins that kube-apiserver has on, in its order: its own, then webhooks, then what its storage
 * of roles and of requests for certificates does to objects before they are validated.
 */
export function builtInAdmission(options: BuiltInAdmissionOptions): readonly AdmissionPlugin[] {
  const { store, authorize, resolver, webhooks = [], disabled = [] } = options;
  const plugins = [
    createNamespaceLifecycle(store),
    createServiceAccountAdmission(store),
    createTaintNodesByCondition(),
    createPodSecurity(store),
    createPriority(store),
    createDefaultTolerationSeconds(),
    createDefaultStorageClass(store),
    createStorageProtection(),
    ...createCertificateAdmission(authorize),
    ...webhooks,
  ];
  return [
    ...plugins.filter(({ name }) => !disabled.includes(name)),
    // In Kubernetes these are no plugins, and can't be left out.
    createEscalationCheck({ resolver, authorize }),
    createCertificateRequester(),
  ];
}
