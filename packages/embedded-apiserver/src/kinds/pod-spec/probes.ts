import type {
  ExecAction,
  HTTPGetAction,
  Lifecycle,
  LifecycleHandler,
  Probe,
  SleepAction,
} from "@rookery/api";
import { FieldError, type FieldPath } from "@rookery/kube";
import { invalidEach, validateNonnegative, validateSupported } from "../meta/field-rules.ts";
import { validateHeaderName } from "../meta/formats.ts";
import { validatePortNumberOrName } from "../meta/int-or-percent.ts";

/** What hooks may not outlast: the grace period of the pod. */
type GracePeriod = number | undefined;
type Handler = Probe & LifecycleHandler;

const handlerTypes = ["exec", "httpGet", "tcpSocket", "grpc", "sleep"] as const;

export function validateLivenessProbe(
  probe: Probe | undefined,
  grace: GracePeriod,
  path: FieldPath,
): FieldError[] {
  if (probe === undefined) return [];
  const { successThreshold = 0 } = probe;
  const problems = validateProbe(probe, grace, path);
  if (successThreshold === 1) return problems;
  const at = path.child("successThreshold");
  return [...problems, FieldError.invalid(at, successThreshold, "must be 1")];
}

export function validateReadinessProbe(
  probe: Probe | undefined,
  grace: GracePeriod,
  path: FieldPath,
): FieldError[] {
  if (probe === undefined) return [];
  const { terminationGracePeriodSeconds: seconds } = probe;
  const problems = validateProbe(probe, grace, path);
  if (seconds === undefined) return problems;
  const at = path.child("terminationGracePeriodSeconds");
  return [...problems, FieldError.invalid(at, seconds, "must not be set for readinessProbes")];
}

function validateProbe(probe: Probe, grace: GracePeriod, path: FieldPath): FieldError[] {
  const { terminationGracePeriodSeconds: seconds = 1 } = probe;
  const counts = [
    "initialDelaySeconds",
    "timeoutSeconds",
    "periodSeconds",
    "successThreshold",
    "failureThreshold",
  ] as const;
  const at = path.child("terminationGracePeriodSeconds");
  return [
    ...validateHandler(probe, grace, path),
    ...counts.flatMap((field) => validateNonnegative(probe[field] ?? 0, path.child(field))),
    ...(seconds > 0 ? [] : [FieldError.invalid(at, seconds, "must be greater than 0")]),
  ];
}

export function validateLifecycle(
  { postStart, preStop }: Lifecycle,
  grace: GracePeriod,
  path: FieldPath,
): FieldError[] {
  return [
    ...(postStart === undefined ? [] : validateHandler(postStart, grace, path.child("postStart"))),
    ...(preStop === undefined ? [] : validateHandler(preStop, grace, path.child("preStop"))),
  ];
}

function validateHandler(handler: Handler, grace: GracePeriod, path: FieldPath): FieldError[] {
  const [first, ...others] = handlerTypes.filter((type) => handler[type] !== undefined);
  if (first === undefined) return [FieldError.required(path, "must specify a handler type")];
  const detail = "may not specify more than 1 handler type";
  return [
    ...validateAction(handler, { type: first, grace }, path.child(first)),
    ...others.map((type) => FieldError.forbidden(path.child(type), detail)),
  ];
}

function validateAction(
  handler: Handler,
  { type, grace }: { readonly type: (typeof handlerTypes)[number]; readonly grace: GracePeriod },
  path: FieldPath,
): FieldError[] {
  switch (type) {
    case "exec":
      return validateExec(handler.exec ?? {}, path);
    case "httpGet":
      return validateHttpGet(handler.httpGet ?? {}, path);
    case "tcpSocket":
      return validatePortNumberOrName(handler.tcpSocket?.port ?? 0, path.child("port"));
    case "grpc":
      return validatePortNumberOrName(handler.grpc?.port ?? 0, path.child("port"));
    default:
      return validateSleep(handler.sleep ?? {}, grace, path);
  }
}

function validateExec({ command = [] }: ExecAction, path: FieldPath): FieldError[] {
  return command.length === 0 ? [FieldError.required(path.child("command"), "")] : [];
}

function validateHttpGet(action: HTTPGetAction, path: FieldPath): FieldError[] {
  const { path: target = "", port = 0, scheme = "", httpHeaders = [] } = action;
  return [
    ...(target === "" ? [FieldError.required(path.child("path"), "")] : []),
    ...validatePortNumberOrName(port, path.child("port")),
    ...validateSupported(scheme, ["HTTP", "HTTPS"], path.child("scheme")),
    ...httpHeaders.flatMap(({ name = "" }) =>
      invalidEach(name, validateHeaderName(name), path.child("httpHeaders")),
    ),
  ];
}

function validateSleep(
  { seconds = 0 }: SleepAction,
  grace: GracePeriod,
  path: FieldPath,
): FieldError[] {
  if (grace === undefined || (seconds >= 0 && seconds <= grace)) return [];
  const detail = `must be non-negative and less than terminationGracePeriodSeconds (${grace})`;
  return [FieldError.invalid(path, seconds, detail)];
}
