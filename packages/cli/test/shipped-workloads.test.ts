import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { labelSelectorAsSelector } from "@rookery/kube";
import {
  type Container,
  type Shipped,
  shippedInstallations,
  type Workload,
  workloadsOf,
} from "./shipped-manifests.ts";

interface PolicySpec {
  readonly podSelector: object;
  readonly policyTypes: readonly string[];
  readonly ingress: readonly { readonly ports: readonly { readonly port: number | string }[] }[];
  readonly egress: readonly { readonly ports: readonly { readonly port: number }[] }[];
}

const containersOf = ({ spec }: Workload): readonly Container[] => {
  const { containers, initContainers = [] } = spec.template.spec;
  return [...initContainers, ...containers];
};
const policiesFor = (manifests: readonly Shipped[], { spec }: Workload): PolicySpec[] =>
  manifests
    .filter(({ kind }) => kind === "NetworkPolicy")
    .map((policy) => policy.spec as unknown as PolicySpec)
    .filter(({ podSelector }) =>
      labelSelectorAsSelector(podSelector).matches({ ...spec.template.metadata.labels }),
    );

for (const [file, manifests] of shippedInstallations()) {
  describe(`the workloads of ${file}`, () => {
    const workloads = workloadsOf(manifests);
    const containers = workloads.flatMap(containersOf);

    it("are there, in a namespace that enforces the restricted standard", () => {
      assert.equal(workloads.length, 1);
      const [namespace] = manifests.filter(({ kind }) => kind === "Namespace");
      for (const mode of ["enforce", "audit", "warn"]) {
        const label = `pod-security.kubernetes.io/${mode}`;
        assert.equal(namespace?.metadata.labels?.[label], "restricted", label);
      }
    });

    it("write to volumes alone, with no privilege and a limit of memory", () => {
      for (const { name, securityContext, resources } of containers) {
        assert.equal(securityContext?.readOnlyRootFilesystem, true, name);
        assert.equal(securityContext?.allowPrivilegeEscalation, false, name);
        assert.deepEqual(securityContext?.capabilities, { drop: ["ALL"] }, name);
        assert.ok(resources?.limits?.memory, name);
      }
    });

    it("ask for the token of their account, which other pods of that account do not get", () => {
      for (const { spec } of workloads) {
        const { serviceAccountName, automountServiceAccountToken } = spec.template.spec;
        assert.equal(automountServiceAccountToken, true);
        const account = manifests.find(
          ({ kind, metadata }) =>
            kind === "ServiceAccount" && metadata.name?.startsWith(serviceAccountName),
        );
        assert.equal(account?.automountServiceAccountToken, false, serviceAccountName);
      }
    });

    it("each have one NetworkPolicy, which closes what it does not open", () => {
      for (const workload of workloads) {
        const policies = policiesFor(manifests, workload);
        assert.equal(policies.length, 1, workload.metadata.name);
        assert.deepEqual(policies[0]?.policyTypes, ["Ingress", "Egress"]);
      }
    });

    it("are called at the ports of their Services and of metrics, and nowhere else", () => {
      for (const workload of workloads) {
        const ports = containersOf(workload).flatMap((container) => container.ports ?? []);
        const [policy] = policiesFor(manifests, workload);
        const opened = policy?.ingress.flatMap((rule) => rule.ports.map(({ port }) => port)) ?? [];
        const served = manifests
          .filter(({ kind }) => kind === "Service")
          .flatMap(({ spec }) => spec?.ports as { readonly targetPort: number | string }[])
          .map(({ targetPort }) => targetPort);
        for (const port of served) assert.ok(opened.includes(port), `${port}`);
        const isKnown = (port: number | string) =>
          ports.some(({ name, containerPort }) => port === name || port === containerPort);
        for (const port of opened) assert.ok(isKnown(port), `${port} is a port of no container`);
        assert.ok(!opened.some((port) => /^health/.test(`${port}`)), "kubelets need no policy");
      }
    });

    it("reach DNS and API servers", () => {
      for (const workload of workloads) {
        const [policy] = policiesFor(manifests, workload);
        const reached = policy?.egress.flatMap((rule) => rule.ports.map(({ port }) => port)) ?? [];
        for (const port of [53, 443, 6443]) assert.ok(reached.includes(port), `${port}`);
        assert.ok(!reached.includes(80), "where clouds hand out the credentials of a node");
      }
    });
  });
}
