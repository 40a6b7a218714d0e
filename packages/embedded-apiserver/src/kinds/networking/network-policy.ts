import type {
  NetworkPolicy,
  NetworkPolicyPeer,
  NetworkPolicyPort,
  NetworkPolicySpec,
} from "@rookery/api";
import { type FieldPath, fieldPath, formatSelector } from "@rookery/kube";
import type { BuiltInKind } from "../declaration/kind.ts";
import { labelSelector, oneOf } from "../meta/checks.ts";
import { ageColumn, column, nameColumn } from "../meta/columns.ts";
import { each, firstOf, optional } from "../meta/combinators.ts";
import { isSameValue } from "../meta/field-rules.ts";
import { kindNames } from "../meta/kind-names.ts";
import { type Rules, validator } from "../meta/rules.ts";
import { ipBlock, ipBlockWarnings } from "./ip-block.ts";
import { policyPort } from "./policy-port.ts";

const directions = ["Ingress", "Egress"];

export const networkPolicyKind: BuiltInKind<NetworkPolicy> = {
  ...kindNames("networking.k8s.io", "NetworkPolicy", "networkpolicies"),
  namespaced: true,
  shortNames: ["netpol"],
  defaults: setDefaults,
  validate: (policy) => validatePolicy(policy),
  validateUpdate: (policy) => validatePolicyTwice(policy),
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

/** The ports and peers of a rule of either direction. */
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

/** Go: ValidateNetworkPolicyPeer. */
const peer: Rules<NetworkPolicyPeer> = [
  {
    podSelector: labelSelector,
    namespaceSelector: labelSelector,
    ipBlock: optional(ipBlock),
  },
  ({ podSelector, namespaceSelector, ipBlock }, field) => {
    const given = [podSelector, namespaceSelector, ipBlock].filter((each) => each !== undefined);
    if (given.length === 0) field.required("must specify a peer");
    if (given.length === 1 || !ipBlock) return;
    field.forbidden("may not specify both ipBlock and another peer");
  },
];

const policyTypes = firstOf<readonly string[] | undefined>(
  (types = [], field) => {
    if (types.length <= directions.length) return;
    field.invalid(types, "may not specify more than two policyTypes");
  },
  each(oneOf(...directions)),
);

/** Go: ValidateNetworkPolicySpec. */
const spec: Rules<NetworkPolicySpec> = {
  podSelector: labelSelector,
  ingress: each({ ports: each(policyPort), from: each(peer) }),
  egress: each({ ports: each(policyPort), to: each(peer) }),
  policyTypes,
};

const validatePolicy = validator<NetworkPolicy>({ spec });
/** kube-apiserver validates a changed policy twice, and reports each error twice. */
const validatePolicyTwice = validator<NetworkPolicy>([{ spec }, { spec }]);
