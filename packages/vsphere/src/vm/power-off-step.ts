import type { VSphereVM } from "@rookery/api";
import { durationToMilliseconds, parseDuration, parseTime } from "@rookery/kube";
import type { MachineState } from "./machine-state.ts";

export type PowerOffStep =
  /** Take the power away. */
  | { readonly do: "cut" }
  /** Ask the guest to shut down. */
  | { readonly do: "ask" }
  /** The guest was asked: wait, at most for so many seconds. */
  | { readonly do: "wait"; readonly seconds: number }
  /** The guest cannot be asked, and nothing else may be done. */
  | { readonly do: "refuse" };

const defaultTimeout = "5m";
/** In case that the end of a guest is not heard of, in seconds. */
const longWait = 120;

/** How a machine that is on is to be powered off next, in the way that its spec says. */
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
