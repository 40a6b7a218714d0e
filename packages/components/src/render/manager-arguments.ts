import type { Problem } from "../errors.ts";
import { type FlagField, likelyFlag, managerFields } from "../flags/manager-fields.ts";
import { flagName, type ManagerFlags } from "../flags/manager-flags.ts";
import type { ContainerSpec, ManagerSpec } from "../spec/provider-spec.ts";
import { flagsOf } from "./arguments.ts";
import type { Container } from "./component-shapes.ts";

/** The least that every reconciler of a manager does at a time, unless a spec says otherwise. */
const defaultConcurrency = 10;
/** Ignored, as the operator sets the namespaces of an instance. */
const ignoredArguments: ReadonlySet<string> = new Set(["namespace", "excluded-namespace"]);

interface ManagerInput {
  readonly container: Container;
  readonly manager: ManagerSpec;
  /** The spec's arguments of this container. */
  readonly args: NonNullable<ContainerSpec["args"]>;
  readonly flags: ManagerFlags;
  /** For messages, such as "cluster-api v1.13.6". */
  readonly release: string;
}

/** The flags to set on a container, and what was wrong or had to be ignored. */
export interface PlannedArguments {
  readonly flags: ReadonlyMap<string, string>;
  /** The field of the spec that each flag of a manager field comes from. */
  readonly fields: ReadonlyMap<string, string>;
  readonly problems: readonly Problem[];
  readonly warnings: readonly Problem[];
}

/** The arguments of a spec for a container, without ignored ones. */
export function plannedArguments(
  name: string,
  args: NonNullable<ContainerSpec["args"]>,
): PlannedArguments {
  const flags = new Map<string, string>();
  const [problems, warnings]: [Problem[], Problem[]] = [[], []];
  for (const [key, value] of Object.entries(args)) {
    const field = `deployment.containers[${name}].args.${key}`;
    const flag = flagName(key);
    if (!/^[A-Za-z][\w.-]*$/.test(flag)) {
      const message = `${field} is no name of a flag; write it without dashes and without a value`;
      problems.push({ reason: "InvalidValue", message, field });
    } else if (ignoredArguments.has(flag)) {
      const message = `${field} is ignored: providers watch all namespaces`;
      warnings.push({ reason: "IgnoredField", message, field });
    } else flags.set(flag, String(value));
  }
  return { flags, fields: new Map(), problems, warnings };
}

/**
 * The flags of the manager's container: the manager's fields take precedence over the container's args,
 * and these over the components' flags. Only for concurrency, args take precedence over the field.
 */
export function plannedManagerArguments(input: ManagerInput): PlannedArguments {
  const asked = plannedArguments(input.container.name ?? "", input.args);
  const plan = new ManagerPlan(input, asked);
  plan.checkArguments();
  plan.setFields();
  plan.setConcurrency();
  plan.setFeatureGates();
  return plan;
}

class ManagerPlan implements PlannedArguments {
  readonly flags: Map<string, string>;
  readonly fields = new Map<string, string>();
  readonly problems: Problem[];
  readonly warnings: Problem[];
  readonly #input: ManagerInput;
  readonly #asked: PlannedArguments;
  readonly #own: ReadonlyMap<string, string>;

  constructor(input: ManagerInput, asked: PlannedArguments) {
    this.flags = new Map(asked.flags);
    this.problems = [...asked.problems];
    this.warnings = [...asked.warnings];
    this.#input = input;
    this.#asked = asked;
    this.#own = flagsOf(input.container);
  }

  /** An unknown flag ends a manager at its start. */
  checkArguments(): void {
    const { flags, container, release } = this.#input;
    if (!flags.complete) return;
    for (const flag of this.#asked.flags.keys()) {
      if (this.#has(flag)) continue;
      const field = `deployment.containers[${container.name}].args.${flag}`;
      const message = `${field} is no flag of ${release}, which would not start with it; remove it`;
      this.problems.push({ reason: "UnknownFlag", message, field });
    }
  }

  setFields(): void {
    const { manager } = this.#input;
    const { fields, problems } = managerFields(manager);
    this.problems.push(...problems);
    for (const { field, ...flag } of fields) this.#setField(`manager.${field}`, flag);
    if (manager.cacheNamespace) {
      const field = "manager.cacheNamespace";
      const message = `${field} is ignored: providers watch all namespaces`;
      this.warnings.push({ reason: "IgnoredField", message, field });
    }
  }

  setConcurrency(): void {
    const { manager, flags } = this.#input;
    const wanted = manager.maxConcurrentReconciles;
    if (wanted === undefined) {
      for (const [flag, stock] of flags.concurrency) {
        const isFree = !this.#asked.flags.has(flag) && !this.#own.has(flag);
        if (stock < defaultConcurrency && isFree) this.flags.set(flag, `${defaultConcurrency}`);
      }
      return;
    }
    const own = [...this.#own.keys()].filter((flag) => flag.endsWith("-concurrency"));
    const names = new Set([...flags.concurrency.keys(), ...own]);
    if (names.size === 0) {
      const flag = { flags: ["max-concurrent-reconciles"], value: `${wanted}` };
      this.#setField("manager.maxConcurrentReconciles", flag);
    }
    for (const flag of names) {
      if (!this.#asked.flags.has(flag)) this.flags.set(flag, `${wanted}`);
    }
  }

  setFeatureGates(): void {
    const { featureGates } = this.#input.manager;
    if (!featureGates || Object.keys(featureGates).length === 0) return;
    const merged = mergeFeatureGates(this.#own.get("feature-gates") ?? "", featureGates);
    this.#setField("manager.featureGates", { flags: ["feature-gates"], value: merged });
  }

  #setField(field: string, { flags, value }: Omit<FlagField, "field">): void {
    const known = flags.find((candidate) => this.#has(candidate));
    const flag = known ?? this.#assumed(field, flags);
    if (flag === undefined) return;
    if (this.#asked.flags.has(flag)) {
      const ignored = `deployment.containers[${this.#input.container.name}].args.${flag}`;
      const message = `${ignored} is ignored: ${field} is set`;
      this.warnings.push({ reason: "IgnoredField", message, field: ignored });
    }
    this.flags.set(flag, value);
    this.fields.set(field, flag);
  }

  #has(flag: string): boolean {
    return this.#input.flags.names.has(flag) || this.#own.has(flag);
  }

  /** A flag that a manager may have. A manager without it ends at its start, and is rolled back. */
  #assumed(field: string, flags: readonly string[]): string | undefined {
    const { release } = this.#input;
    const args = "set the flag by its own name in deployment.containers[].args";
    if (this.#input.flags.complete) {
      const message = `${field} does nothing: ${release} has no flag for it; remove it`;
      this.warnings.push({ reason: "FieldWithoutFlag", message, field });
      return undefined;
    }
    const flag =
      flags.find((one) => this.#asked.flags.has(one)) ?? likelyFlag({ flags }, this.#own);
    const message = `${field} is set by --${flag}, of which nobody knows whether ${release} has it; where its manager does not start, remove the field, or ${args}`;
    this.warnings.push({ reason: "AssumedFlag", message, field });
    return flag;
  }
}

/** Merges gates into a flag's value ("A=true,B=false"), in its order. */
function mergeFeatureGates(value: string, gates: Readonly<Record<string, boolean>>): string {
  const own = value
    .split(",")
    .map((entry) => entry.trim())
    .filter(Boolean)
    .map((entry) => entry.split("=") as [string, string]);
  const merged = new Map<string, unknown>([...own, ...Object.entries(gates)]);
  return Array.from(merged, ([name, state]) => `${name}=${state}`).join(",");
}
