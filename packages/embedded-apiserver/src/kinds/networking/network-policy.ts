import type {
  NetworkPolicy,
  NetworkPolicyPeer,
  NetworkPolicyPort,
  NetworkPolicySpec,
} from "@rookery/api";
import { FieldError, type FieldPath, fieldPath, formatSelector } from "@rookery/kube";
import type { BuiltInKind } from "../declaration/kind.ts";
import { ageColumn, column, nameColumn } from "../meta/columns.ts";
import { isSameValue, validateSupported } from "../meta/field-rules.ts";
import { validateSelector } from "../meta/label-selectors.ts";
import { ipBlockWarnings, validateIpBlock } from "./ip-block.ts";
import { validatePolicyPort } from "./policy-port.ts";

const directions = ["Ingress", "Egress"];

export const networkPolicyKind: BuiltInKind<NetworkPolicy> = {
  group: "networking.k8s.io",
  version: "v1",
  kind: "NetworkPolicy",
  plural: "networkpolicies",
  singular: "networkpolicy",
  namespaced: true,
  shortNames: ["netpol"],
  goType: "k8s.io/api/networking/v1.NetworkPolicy",
  model: "io.k8s.api.networking.v1.NetworkPolicy",
  defaults: setDefaults,
  validate: ({ spec = {} }) => validateSpec(spec),
  // kube-apiserver validates a changed policy twice, and says each problem twice.
  validateUpdate: ({ spec = {} }) => [...validateSpec(spec), ...validateSpec(spec)],
  warnings: ({ spec = {} }) =>
    rulesOf(spec).flatMap(({ peers, peersPath }) =>
      peers.flatMap(({ ipBlock }, i) =>
        ipBlock ? ipBlockWarnings(ipBlock, peersPath.index(i).child("ipBlock")) : [],
      ),
    ),
  isNewGeneration: ({ spec }, old) => !isSameValue(spec, old.spec),
  columns: [
    nameColumn,
    column("Pod-Selector", "string", ({ spec }: NetworkPolicy) =>
      formatSelector(spec?.podSelector ?? {}),
    ),
    ageColumn,
  ],
};

function setDefaults(policy: NetworkPolicy): void {
  policy.spec ??= {};
  const { spec } = policy;
  for (const { ports } of rulesOf(spec)) for (const port of ports) port.protocol ??= "TCP";
  if (spec.policyTypes?.length) return;
  spec.policyTypes = spec.egress?.length ? [...directions] : ["Ingress"];
}

/** What a rule lets through, whichever its direction. */
interface Rule {
  readonly ports: readonly NetworkPolicyPort[];
  readonly portsPath: FieldPath;
  readonly peers: readonly NetworkPolicyPeer[];
  readonly peersPath: FieldPath;
}

function rulesOf({ ingress = [], egress = [] }: NetworkPolicySpec): Rule[] {
  const path = fieldPath("spec");
  return [
    ...ingress.map(({ ports = [], from = [] }, i) => {
      const at = path.child("ingress").index(i);
      return { ports, portsPath: at.child("ports"), peers: from, peersPath: at.child("from") };
    }),
    ...egress.map(({ ports = [], to = [] }, i) => {
      const at = path.child("egress").index(i);
      return { ports, portsPath: at.child("ports"), peers: to, peersPath: at.child("to") };
    }),
  ];
}

function validateSpec(spec: NetworkPolicySpec): FieldError[] {
  const path = fieldPath("spec");
  return [
    ...validateSelector(spec.podSelector, path.child("podSelector")),
    ...rulesOf(spec).flatMap(({ ports, portsPath, peers, peersPath }) => [
      ...ports.flatMap((port, i) => validatePolicyPort(port, portsPath.index(i))),
      ...peers.flatMap((peer, i) => validatePeer(peer, peersPath.index(i))),
    ]),
    ...validatePolicyTypes(spec.policyTypes ?? [], path.child("policyTypes")),
  ];
}

function validatePeer(peer: NetworkPolicyPeer, path: FieldPath): FieldError[] {
  const { podSelector, namespaceSelector, ipBlock } = peer;
  const given = [podSelector, namespaceSelector, ipBlock].filter((each) => each !== undefined);
  const problems = [
    ...validateSelector(podSelector, path.child("podSelector")),
    ...validateSelector(namespaceSelector, path.child("namespaceSelector")),
    ...(ipBlock ? validateIpBlock(ipBlock, path.child("ipBlock")) : []),
  ];
  if (given.length === 0) problems.push(FieldError.required(path, "must specify a peer"));
  if (given.length > 1 && ipBlock) {
    problems.push(FieldError.forbidden(path, "may not specify both ipBlock and another peer"));
  }
  return problems;
}

function validatePolicyTypes(types: readonly string[], path: FieldPath): FieldError[] {
  if (types.length > directions.length) {
    return [FieldError.invalid(path, types, "may not specify more than two policyTypes")];
  }
  return types.flatMap((type, i) => validateSupported(type, directions, path.index(i)));
}
