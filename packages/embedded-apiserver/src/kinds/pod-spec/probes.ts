import type { HTTPGetAction, Lifecycle, LifecycleHandler, Probe, SleepAction } from "@rookery/api";
import { inRange, must, nonNegative, oneOf, unset } from "../meta/checks.ts";
import { oneMember, optional, required } from "../meta/combinators.ts";
import type { Field } from "../meta/field.ts";
import { validateHeaderName } from "../meta/formats.ts";
import { portNumberOrName } from "../meta/int-or-percent.ts";
import type { Rules } from "../meta/rules.ts";

/** Hooks must not outlast the grace period of the pod. */
interface GraceScope {
  readonly gracePeriod: number | undefined;
}

const httpGet: Rules<HTTPGetAction> = {
  path: required(),
  port: portNumberOrName,
  scheme: oneOf("HTTP", "HTTPS"),
  httpHeaders: (headers, field) => {
    for (const { name = "" } of headers ?? []) field.invalidEach(name, validateHeaderName(name));
  },
};

function sleep({ seconds = 0 }: SleepAction, field: Field<GraceScope>): void {
  const { gracePeriod: grace } = field.scope;
  if (grace === undefined || (seconds >= 0 && seconds <= grace)) return;
  const detail = `must be non-negative and less than terminationGracePeriodSeconds (${grace})`;
  field.invalid(seconds, detail);
}

/** Go: validateHandler. */
const handler = oneMember<Probe & LifecycleHandler, GraceScope>(
  {
    exec: { command: required() },
    httpGet,
    tcpSocket: { port: portNumberOrName },
    grpc: { port: portNumberOrName },
    sleep,
  },
  {
    none: "must specify a handler type",
    many: "may not specify more than 1 handler type",
  },
);

/** Go: ValidateProbe. */
const probe: Rules<Probe, GraceScope> = [
  handler,
  {
    initialDelaySeconds: nonNegative,
    timeoutSeconds: nonNegative,
    periodSeconds: nonNegative,
    successThreshold: nonNegative,
    failureThreshold: nonNegative,
    terminationGracePeriodSeconds: optional(
      must((seconds) => seconds > 0, "must be greater than 0"),
    ),
  },
];

export const livenessProbe = optional<Probe, GraceScope>([
  probe,
  { successThreshold: inRange(1, 1, "must be 1") },
]);

export const readinessProbe = optional<Probe, GraceScope>([
  probe,
  { terminationGracePeriodSeconds: unset("must not be set for readinessProbes") },
]);

export const lifecycle: Rules<Lifecycle | undefined, GraceScope> = {
  postStart: optional(handler),
  preStop: optional(handler),
};
