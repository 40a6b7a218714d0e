import { FieldError, type FieldPath } from "@rookery/kube";
import { type Correlation, MapList } from "../../correlation.ts";
import { getOwn, isArray, isObject, type JSONObject, type JSONValue } from "../../json.ts";
import { PatternTime } from "../../patterns/pattern-time.ts";
import { CostLimitExceeded, Effort, Meter } from "../meter.ts";
import { CelError, type Value } from "../values/value.ts";
import {
  errorFor,
  evaluateMessage,
  evaluationProblem,
  fatalText,
  ruleMessage,
  ruleText,
} from "./failure.ts";
import type { CompiledRule } from "./rule.ts";
import type { RuleTree } from "./rule-tree.ts";
import { RuleVariables, ratchetAt, ratchetKey, type Subject } from "./rule-variables.ts";

const OUT_OF_BUDGET =
  "validation failed due to running out of cost budget, no further validation rules will be run";

export interface CostLimits {
  readonly perRule: number;
  readonly perObject: number;
}

export const KUBERNETES_COST_LIMITS: CostLimits = { perRule: 1_000_000, perObject: 10_000_000 };

/** Warnings are failures that an update did not cause. */
export interface RuleFindings {
  readonly errors: FieldError[];
  readonly warnings: FieldError[];
}

/** Ends the walk when the budget is exhausted. */
class BudgetExhausted extends Error {}

export class RuleValidator {
  readonly #limits: CostLimits;
  readonly #findings: RuleFindings = { errors: [], warnings: [] };
  readonly #effort: Effort;
  #budget: number;

  constructor(limits: CostLimits = KUBERNETES_COST_LIMITS, patternTime = new PatternTime()) {
    this.#limits = limits;
    this.#effort = new Effort(patternTime);
    this.#budget = limits.perObject;
  }

  /** The remaining budget; negative when it was exceeded. */
  get budget(): number {
    return this.#budget;
  }

  /** Evaluates all rules of the tree; transition rules compare with the old data. */
  run(tree: RuleTree, path: FieldPath, update: RuleInput): RuleFindings {
    const ratchet = { current: update.correlation, nearest: undefined };
    try {
      this.#visit({ tree, path, data: update.data, old: update.old, ratchet });
    } catch (error) {
      if (!(error instanceof BudgetExhausted)) throw error;
      this.#budget = -1;
    }
    return this.#findings;
  }

  #visit(subject: Subject): void {
    if (subject.data === null) return;
    this.#applyRules(subject);
    if (isArray(subject.data)) this.#visitItems(subject, subject.data);
    else if (isObject(subject.data)) this.#visitFields(subject, subject.data);
  }

  #visitItems({ tree, path, old, ratchet }: Subject, data: readonly JSONValue[]): void {
    if (!tree.items) return;
    const oldItems = new MapList(tree.node, isArray(old) ? old : []);
    for (const [index, item] of data.entries()) {
      this.#visit({
        tree: tree.items,
        path: path.index(index),
        data: item,
        old: oldItems.get(item),
        ratchet: ratchetAt(ratchet, (current) => current.index(index)),
      });
    }
  }

  #visitFields({ tree, path, old, ratchet }: Subject, data: JSONObject): void {
    const oldObject = isObject(old) ? old : undefined;
    for (const [key, value] of Object.entries(data)) {
      const property = tree.properties.get(key);
      const child = property ?? tree.additionalProperties;
      if (!child) continue;
      this.#visit({
        tree: child,
        path: property ? path.child(key) : path.key(key),
        data: value,
        old: oldObject && getOwn(oldObject, key),
        ratchet: ratchetKey(ratchet, key),
      });
    }
  }

  #applyRules(subject: Subject): void {
    const { tree, path } = subject;
    if (tree.error !== undefined) {
      const problem = `rule compiler initialization error: ${tree.error}`;
      this.#findings.errors.push(FieldError.invalid(path, tree.node.type, problem));
      return;
    }
    if (tree.rules.length === 0) return;
    if (this.#budget <= 0) this.#exhausted(subject, OUT_OF_BUDGET);
    const values = new RuleVariables(subject);
    for (const rule of tree.rules) this.#applyRule(subject, rule, values);
  }

  #exhausted({ path, tree }: Subject, problem: string): never {
    this.#findings.errors.push(FieldError.invalid(path, tree.node.type, problem));
    throw new BudgetExhausted();
  }

  #applyRule(subject: Subject, compiled: CompiledRule, values: RuleVariables): void {
    const { rule, program } = compiled;
    if (!program) {
      if (compiled.error) this.#refuse(subject, `rule compile error: ${compiled.error}`);
      return;
    }
    const transition = compiled.usesOldSelf && isAbsent(subject.old);
    if (transition && rule.optionalOldSelf !== true) return;
    const meter = new Meter(this.#limits.perRule, this.#effort);
    const outcome = evaluate(() => program.evaluate(values.of(compiled), meter));
    if (meter.cost > this.#budget) this.#exhausted(subject, OUT_OF_BUDGET);
    this.#budget -= meter.cost;
    if (outcome instanceof CostLimitExceeded) {
      const why = "no further validation rules will be run due to call cost exceeds limit for rule";
      this.#exhausted(subject, `'${outcome.message}': ${why}: ${ruleText(compiled)}`);
    }
    if (outcome instanceof CelError) this.#refuse(subject, evaluationProblem(outcome, compiled));
    else if (outcome !== true) this.#fail(subject, compiled, values);
  }

  #refuse({ path, tree }: Subject, problem: string): void {
    this.#findings.errors.push(FieldError.invalid(path, tree.node.type, problem));
  }

  #fail(subject: Subject, compiled: CompiledRule, values: RuleVariables): void {
    const { path, tree } = subject;
    const at = compiled.fieldPath === undefined ? path : path.child(compiled.fieldPath);
    const { messageProgram } = compiled;
    let message = ruleMessage(compiled);
    if (messageProgram) {
      const meter = new Meter(this.#limits.perRule, this.#effort);
      const result = evaluateMessage(messageProgram, values.plain, { meter, budget: this.#budget });
      if ("fatal" in result) {
        this.#report(
          subject,
          compiled,
          FieldError.invalid(at, tree.node.type, fatalText(result.fatal, compiled)),
        );
        throw new BudgetExhausted();
      }
      this.#budget -= result.cost;
      message = result.message ?? message;
    }
    this.#report(subject, compiled, errorFor(compiled.rule.reason, at, [tree.node.type, message]));
  }

  /** A failure of unchanged data is a warning, unless the rule is a transition rule. */
  #report({ ratchet }: Subject, compiled: CompiledRule, error: FieldError): void {
    const decisive = ratchet.current ?? ratchet.nearest;
    const old = !compiled.usesOldSelf && decisive?.unchanged === true;
    (old ? this.#findings.warnings : this.#findings.errors).push(error);
  }
}

export interface RuleInput {
  readonly data: JSONValue;
  readonly old: JSONValue | undefined;
  /** Set for updates whose unchanged parts may stay invalid. */
  readonly correlation: Correlation | undefined;
}

function isAbsent(old: JSONValue | undefined): boolean {
  return old === undefined || old === null;
}

function evaluate(run: () => Value): Value | CostLimitExceeded {
  try {
    return run();
  } catch (error) {
    if (error instanceof CostLimitExceeded) return error;
    throw error;
  }
}
