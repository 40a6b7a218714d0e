import type { NetworkPolicyPort } from "@rookery/api";
import { oneOf, portNumber } from "../meta/checks.ts";
import { optional } from "../meta/combinators.ts";
import type { Field } from "../meta/field.ts";
import { portNumberOrName } from "../meta/int-or-percent.ts";
import type { Rules } from "../meta/rules.ts";

const portOrNone = optional(portNumberOrName);

/** A port, a range of them, or the name of one. Kubernetes looks at a name after the end. */
export const policyPort: Rules<NetworkPolicyPort> = [
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
  // The number that kube-apiserver shows here is that of the port.
  if (end < port) field.invalid(port, "must be greater than or equal to `port`");
  portNumber(end, field);
}
