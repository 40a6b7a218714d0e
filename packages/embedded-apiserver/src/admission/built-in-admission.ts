import type { AdmissionPlugin, Authorizer } from "@rookery/apiserver";
import { UnknownPluginError } from "../errors.ts";
import { createEscalationCheck } from "../rbac/escalation.ts";
import type { RuleResolver } from "../rbac/rule-resolver.ts";
import type { Store } from "../store/store.ts";
import { certificateRequester, createCertificateAdmission } from "./certificates.ts";
import { createNamespaceLifecycle } from "./namespace-lifecycle.ts";
import { createPodSecurity } from "./pod-security.ts";
import { createPriority } from "./priority.ts";
import {
  createDefaultStorageClass,
  defaultTolerationSeconds,
  storageProtection,
  taintNodesByCondition,
} from "./scheduling-defaults.ts";
import { createServiceAccountAdmission } from "./service-account.ts";

export interface BuiltInAdmissionOptions {
  readonly store: Store;
  readonly authorize: Authorizer;
  readonly resolver: RuleResolver;
  /** The plugins that call webhooks. */
  readonly webhooks?: readonly AdmissionPlugin[];
  /** The names of disabled plugins. */
  readonly disabled?: readonly string[];
}

/** The plugin names of kube-apiserver, in its order. */
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

/** Throws an UnknownPluginError for the name of no plugin. */
export function assertPlugins(names: readonly string[]): void {
  const unknown = names.find((name) => !pluginNames.includes(name));
  if (unknown !== undefined) throw new UnknownPluginError(unknown, pluginNames);
}

/**
 * The default plugins of kube-apiserver in its order, the webhooks, and the checks that its storage of
 * roles and CertificateSigningRequests runs before validation.
 */
export function builtInAdmission(options: BuiltInAdmissionOptions): readonly AdmissionPlugin[] {
  const { store, authorize, resolver, webhooks = [], disabled = [] } = options;
  const plugins = [
    createNamespaceLifecycle(store),
    createServiceAccountAdmission(store),
    taintNodesByCondition,
    createPodSecurity(store),
    createPriority(store),
    defaultTolerationSeconds,
    createDefaultStorageClass(store),
    storageProtection,
    ...createCertificateAdmission(authorize),
    ...webhooks,
  ];
  return [
    ...plugins.filter(({ name }) => !disabled.includes(name)),
    // These are not plugins in Kubernetes, and cannot be disabled.
    createEscalationCheck({ resolver, authorize }),
    certificateRequester,
  ];
}
