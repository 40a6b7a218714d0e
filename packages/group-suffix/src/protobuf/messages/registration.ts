import { apiVersion, group, nameOf, nested, of } from "../message.ts";
import type { KindTable } from "./kind-table.ts";
import { objectMetaNamed } from "./metadata.ts";

const rule = nested({ 2: nested({ 1: group }) });
const namedRule = nested({ 1: nameOf(2, 2, 3), 2: rule });
const matchResources = nested({ 3: namedRule, 4: namedRule });

const webhooks = { 2: nested({ 3: rule }) };
const policy = { 2: nested({ 1: nested({ 1: apiVersion }), 2: matchResources }) };
const policyBinding = { 2: nested({ 3: matchResources }) };

/** Kinds that register groups, or what is called for them. */
export const registration: KindTable = {
  "admissionregistration.k8s.io": {
    ValidatingWebhookConfiguration: webhooks,
    MutatingWebhookConfiguration: webhooks,
    ValidatingAdmissionPolicy: policy,
    MutatingAdmissionPolicy: policy,
    ValidatingAdmissionPolicyBinding: policyBinding,
    MutatingAdmissionPolicyBinding: policyBinding,
  },
  "apiextensions.k8s.io": {
    CustomResourceDefinition: { 1: of(objectMetaNamed("resourceName")), 2: nested({ 1: group }) },
  },
  "internal.apiserver.k8s.io": {
    StorageVersion: {
      1: of(objectMetaNamed("groupResource")),
      3: nested({ 1: nested({ 2: apiVersion, 3: apiVersion, 4: apiVersion }), 2: apiVersion }),
    },
  },
  "apiregistration.k8s.io": {
    APIService: { 1: of(objectMetaNamed("versionedGroup")), 2: nested({ 2: group }) },
  },
};
