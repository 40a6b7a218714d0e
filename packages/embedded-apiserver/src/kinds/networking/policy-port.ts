import type { NetworkPolicyPort } from "@rookery/api";
import { FieldError, type FieldPath } from "@rookery/kube";
import { invalidEach, validateSupported } from "../meta/field-rules.ts";
import { validatePortNumber } from "../meta/formats.ts";
import { validatePortNumberOrName } from "../meta/int-or-percent.ts";

/** A port, a range of them, or the name of one. */
export function validatePolicyPort(policyPort: NetworkPolicyPort, path: FieldPath): FieldError[] {
  const { protocol, port } = policyPort;
  const protocols = ["TCP", "UDP", "SCTP"];
  const problems =
    protocol === undefined ? [] : validateSupported(protocol, protocols, path.child("protocol"));
  const endProblems = validateEndPort(policyPort, path.child("endPort"));
  if (port === undefined) return [...problems, ...endProblems];
  const portProblems = validatePortNumberOrName(port, path.child("port"));
  return typeof port === "number"
    ? [...problems, ...portProblems, ...endProblems]
    : [...problems, ...endProblems, ...portProblems];
}

function validateEndPort({ port, endPort }: NetworkPolicyPort, path: FieldPath): FieldError[] {
  if (endPort === undefined) return [];
  if (typeof port !== "number") {
    const missing = port === undefined ? "not specified" : "non-numeric";
    return [FieldError.invalid(path, endPort, `may not be specified when \`port\` is ${missing}`)];
  }
  // The number that kube-apiserver shows here is that of the port.
  const detail = "must be greater than or equal to `port`";
  return [
    ...(endPort < port ? [FieldError.invalid(path, port, detail)] : []),
    ...invalidEach(endPort, validatePortNumber(endPort), path),
  ];
}
