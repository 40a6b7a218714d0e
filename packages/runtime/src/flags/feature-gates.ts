import { type Flag, FlagValueError } from "./flag.ts";
import { readBoolean } from "./flag-kinds.ts";

/** A feature that can be switched on or off. */
export interface FeatureGate {
  readonly default: boolean;
  readonly stage: "Alpha" | "Beta" | "GA";
}

/** The value of the flag --feature-gates: each gate, on or off. */
export type FeatureGateValues<Gates> = { readonly [Name in keyof Gates]: boolean };

/** `--feature-gates A=true,B=false`, which may be repeated. Other gates keep their default. */
export function featureGatesFlag<Gates extends Readonly<Record<string, FeatureGate>>>(
  gates: Gates,
): Flag<FeatureGateValues<Gates>> {
  const known = Object.entries(gates).map(
    ([name, gate]) => `${name}=true|false (${gate.stage}, default ${gate.default})`,
  );
  const list = known.length === 0 ? "there are none" : known.join(", ");
  return {
    help: `Features to switch on or off, as A=true,B=false: ${list}.`,
    valueName: "gates",
    parse(values) {
      const chosen: Record<string, boolean> = {};
      for (const [name, gate] of Object.entries(gates)) chosen[name] = gate.default;
      const items = values.flatMap((value) => value.split(",")).map((item) => item.trim());
      for (const item of items.filter((item) => item !== "")) {
        const [name, value] = readGate(item, gates);
        chosen[name] = value;
      }
      return chosen as FeatureGateValues<Gates>;
    },
  };
}

function readGate(
  item: string,
  gates: Readonly<Record<string, FeatureGate>>,
): [name: string, value: boolean] {
  const [, name = "", value = ""] = /^([^=]*)=(.*)$/.exec(item) ?? [];
  if (name === "") throw new FlagValueError(item, "it must be written as gate=true or gate=false");
  if (!Object.hasOwn(gates, name)) {
    const known = Object.keys(gates).join(", ");
    const there = known === "" ? "there are no feature gates" : `the feature gates are ${known}`;
    throw new FlagValueError(item, `${name} is no feature gate; ${there}`);
  }
  return [name, readBoolean(value)];
}
