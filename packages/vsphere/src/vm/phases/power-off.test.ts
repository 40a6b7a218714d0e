import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { VSphereVM } from "@rookery/api";
import { nextPowerOffStep, type PowerOffStep } from "./power-off.ts";

const asked = "2026-01-01T00:00:00Z";
const after = (seconds: number) => new Date(Date.parse(asked) + seconds * 1000);
const network = { devices: [{ networkName: "n" }] };

type Mode = NonNullable<VSphereVM["spec"]["powerOffMode"]>;
interface Case {
  readonly mode?: Mode;
  readonly timeout?: string;
  /** Whether its tools run. */
  readonly tools?: boolean;
  /** How many seconds ago it was asked; absent where it was not. */
  readonly askedFor?: number;
}

function stepOf({ mode, timeout, tools = true, askedFor }: Case): PowerOffStep {
  const spec = {
    template: "t",
    network,
    ...(mode && { powerOffMode: mode }),
    ...(timeout && { guestSoftPowerOffTimeout: timeout }),
  };
  const status = askedFor === undefined ? {} : { guestSoftPowerOffRequestedAt: asked };
  return nextPowerOffStep({ spec, status }, { canShutDown: tools }, after(askedFor ?? 0));
}

describe("a machine that is to go", () => {
  const table: Record<string, [Case, PowerOffStep]> = {
    "loses its power where nothing is said": [{}, { do: "cut" }],
    "loses its power where that is said": [{ mode: "hard" }, { do: "cut" }],
    "is asked first": [{ mode: "soft" }, { do: "ask" }],
    "is asked first where asking is to be tried": [{ mode: "trySoft" }, { do: "ask" }],
    "is left on where it cannot be asked": [{ mode: "soft", tools: false }, { do: "refuse" }],
    "loses its power where it cannot be asked and need not": [
      { mode: "trySoft", tools: false },
      { do: "cut" },
    ],
    "has all time where only asking will do": [
      { mode: "soft", askedFor: 86_400 },
      { do: "wait", seconds: 120 },
    ],
    "has five minutes where no time is said": [
      { mode: "trySoft", askedFor: 290 },
      { do: "wait", seconds: 10 },
    ],
    "loses its power after five minutes": [{ mode: "trySoft", askedFor: 300 }, { do: "cut" }],
    "has the time that is said": [
      { mode: "trySoft", timeout: "30s", askedFor: 20 },
      { do: "wait", seconds: 10 },
    ],
    "loses its power when that time is over": [
      { mode: "trySoft", timeout: "30s", askedFor: 30 },
      { do: "cut" },
    ],
    "loses its power at once when that is said after it was asked": [
      { mode: "hard", askedFor: 1 },
      { do: "cut" },
    ],
    "is waited for though its tools have ended": [
      { mode: "trySoft", tools: false, askedFor: 290 },
      { do: "wait", seconds: 10 },
    ],
  };
  for (const [what, [given, expected]] of Object.entries(table)) {
    it(what, () => assert.deepEqual(stepOf(given), expected));
  }
});
