import { type Failure, failureOf, type KnownServer } from "../cluster/policies.ts";
import {
  ForeignMachineError,
  PlacementError,
  RestRequestError,
  TagsError,
  TaskFailedError,
  VimFaultError,
  VirtualMachineGoneError,
} from "../errors.ts";

export interface MachineFailure extends Omit<Failure, "reason"> {
  readonly reason:
    | Failure["reason"]
    | "PlacementNotFound"
    | "NotFoundByBIOSUUID"
    | "NotAdopted"
    | "TagsNotAttached"
    | "TaskFailed"
    | "Refused";
}

/** Something on the vCenter has to change: it is looked at again once in a while. */
const retryAfter = 60;

/** What an error means for a machine; undefined where it is not about the machine. */
export function failureOfMachine(error: unknown, known: KnownServer): MachineFailure | undefined {
  if (isFaultOfLogin(error)) return failureOf(error, known);
  return failureOfWork(error) ?? failureOf(error, known);
}

/** Whoever has not logged in yet is not told what a server says: it may be no vCenter at all. */
function isFaultOfLogin(error: unknown): boolean {
  const methods = ["RetrieveServiceContent", "Login"];
  return error instanceof VimFaultError && methods.includes(error.method);
}

function failureOfWork(error: unknown): MachineFailure | undefined {
  if (!(error instanceof Error)) return undefined;
  const { message } = error;
  if (error instanceof VimFaultError) return { reason: "Refused", message, retryAfter };
  if (error instanceof PlacementError) return { reason: "PlacementNotFound", message, retryAfter };
  if (error instanceof ForeignMachineError) return { reason: "NotAdopted", message, retryAfter };
  if (error instanceof VirtualMachineGoneError) {
    return { reason: "NotFoundByBIOSUUID", message, retryAfter: 10 * retryAfter };
  }
  if (error instanceof TagsError) return { reason: "TagsNotAttached", message, retryAfter };
  if (error instanceof TaskFailedError) return { reason: "TaskFailed", message, retryAfter };
  if (error instanceof RestRequestError) return { reason: "Refused", message, retryAfter };
  return undefined;
}
