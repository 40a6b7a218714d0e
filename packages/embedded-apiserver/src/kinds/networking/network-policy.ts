import type {
  IPBlock,
  NetworkPolicy,
  NetworkPolicyPeer,
  NetworkPolicyPort,
  NetworkPolicySpec,
} from "@rookery/api";
import { formatSelector } from "@rookery/kube";
import { parseLegacyCidr, prefixContains } from "@rookery/schema";
import { type BuiltInKind, isSpecChanged, kindNames } from "../declaration/kind.ts";
import { labelSelector, oneOf, portNumber } from "../meta/checks.ts";
import { ageColumn, columns, nameColumn } from "../meta/columns.ts";
import { each, firstOf, optional, required } from "../meta/combinators.ts";
import type { Field } from "../meta/field.ts";
import { portNumberOrName } from "../meta/int-or-percent.ts";
import { cidrWarnings, legacyCidr } from "../meta/ip.ts";
import { type Rules, validator, warner } from "../meta/rules.ts";

const portOrNone = optional(portNumberOrName);

/** A port, a range of ports, or a name. Kubernetes validates a name after the end port. */
const policyPort: Rules<NetworkPolicyPort> = [
  { protocol: optional(oneOf("TCP", "UDP", "SCTP")) },
  (own, field) => {
    if (typeof own.port === "number") portOrNone(own.port, field.child("port"));
    endPort(own, field.child("endPort"));
    if (typeof own.port !== "number") portOrNone(own.port, field.child("port"));
  },
];

function endPort({ port, endPort: end }: NetworkPolicyPort, field: Field): void {
  if (end === undefined) return;
  if (typeof port !== "number") {
    const missing = port === undefined ? "not specified" : "non-numeric";
    field.invalid(end, `may not be specified when \`port\` is ${missing}`);
    return;
  }
  // The error of kube-apiserver shows the port.
  if (end < port) field.invalid(port, "must be greater than or equal to `port`");
  portNumber(end, field);
}

/** Go: ValidateIPBlock. A network and excepted parts of it. */
function ipBlock({ cidr = "", except = [] }: IPBlock, field: Field): void {
  const block = parseLegacyCidr(cidr);
  network(cidr, field.child("cidr"));
  if (block === undefined) return;
  except.forEach((text, i) => {
    const at = field.child("except").index(i);
    const part = parseLegacyCidr(text);
    const isWithin = part && prefixContains(block, part.address) && block.bits < part.bits;
    legacyCidr(text, at);
    if (part && !isWithin) at.invalid(text, "must be a strict subset of `cidr`");
  });
}

const network = required(legacyCidr);

const peerWarnings = each<NetworkPolicyPeer>({
  ipBlock: { cidr: cidrWarnings, except: each(cidrWarnings) },
});
const warnings = warner<NetworkPolicy>({
  spec: { ingress: each({ from: peerWarnings }), egress: each({ to: peerWarnings }) },
});

const directions = ["Ingress", "Egress"];

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

export const networkPolicyKind: BuiltInKind<NetworkPolicy> = {
  ...kindNames("networking.k8s.io", "NetworkPolicy", "networkpolicies"),
  namespaced: true,
  shortNames: ["netpol"],
  defaults(policy) {
    policy.spec ??= {};
    const { ingress = [], egress = [] } = policy.spec;
    for (const { ports = [] } of [...ingress, ...egress]) {
      for (const port of ports) port.protocol ??= "TCP";
    }
    if (policy.spec.policyTypes?.length) return;
    policy.spec.policyTypes = egress.length > 0 ? [...directions] : ["Ingress"];
  },
  validate: validator<NetworkPolicy>({ spec }),
  // kube-apiserver validates a changed policy twice, and reports each error twice.
  validateUpdate: validator<NetworkPolicy>([{ spec }, { spec }]),
  warnings,
  isNewGeneration: isSpecChanged,
  columns: [
    nameColumn,
    ...columns<NetworkPolicy>({
      "Pod-Selector": ({ spec }) => formatSelector(spec?.podSelector ?? {}),
    }),
    ageColumn,
  ],
};
