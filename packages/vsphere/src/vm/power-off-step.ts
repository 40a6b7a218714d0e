import type { VSphereVM } from "@rookery/api";
import { durationToMilliseconds, parseDuration, parseTime } from "@rookery/kube";
import type { MachineState } from "./machine-state.ts";

export type PowerOffStep =
  /** Power off. */
  | { readonly do: "cut" }
  /** Ask the guest to shut down. */
  | { readonly do: "ask" }
  /** The guest was asked: wait, at most for these seconds. */
  | { readonly do: "wait"; readonly seconds: number }
  /** The guest cannot be asked, and nothing else may be done. */
  | { readonly do: "refuse" };

const defaultTimeout = "5m";
/** The delay of a retry in case that the notification of a change gets lost, in seconds. */
const longWait = 120;

/** The next step to power off a running machine, by the mode of its spec. */
export function nextPowerOffStep(
  { spec, status }: Pick<VSphereVM, "spec" | "status">,
  { canShutDown }: Pick<MachineState, "canShutDown">,
  now: Date,
): PowerOffStep {
  const { powerOffMode: mode = "hard", guestSoftPowerOffTimeout = defaultTimeout } = spec;
  const asked = status?.guestSoftPowerOffRequestedAt;
  if (mode === "hard") return { do: "cut" };
  if (asked === undefined) {
    if (canShutDown) return { do: "ask" };
    return { do: mode === "trySoft" ? "cut" : "refuse" };
  }
  if (mode === "soft") return { do: "wait", seconds: longWait };
  const timeout = durationToMilliseconds(parseDuration(guestSoftPowerOffTimeout));
  const left = parseTime(asked).getTime() + timeout - now.getTime();
  return left > 0 ? { do: "wait", seconds: Math.min(left / 1000, longWait) } : { do: "cut" };
}
