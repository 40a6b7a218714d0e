import { type Rule, type Rules, ruleOf } from "./rules.ts";

/** Whether a value is zero in Go, or an empty list. */
export function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === "" || value === 0) return true;
  return Array.isArray(value) && value.length === 0;
}

/** The rules of a pointer, applied if it is set. */
export function optional<T, S = unknown>(rules: NoInfer<Rules<T, S>>): Rule<T | undefined, S> {
  const rule = ruleOf(rules);
  return (value, field) => {
    if (value !== undefined && value !== null) rule(value, field);
  };
}

/** Rules that an empty value passes. */
export function unlessEmpty<T, S = unknown>(rules: NoInfer<Rules<T, S>>): Rule<T | undefined, S> {
  const rule = ruleOf(rules);
  return (value, field) => {
    if (value !== undefined && !isEmpty(value)) rule(value, field);
  };
}

/** A value that must not be empty, and its further rules. */
export function required<T, S = unknown>(
  rules: NoInfer<Rules<T, S>> = [],
  detail = "",
): Rule<T | undefined, S> {
  const rule = ruleOf(rules);
  return (value, field) => {
    if (value === undefined || isEmpty(value)) field.required(detail);
    else rule(value, field);
  };
}

/** The rules of a struct that is not a pointer: they apply to an absent value too. */
export function struct<T extends object, S = unknown>(
  rules: NoInfer<Rules<T, S>>,
): Rule<T | undefined, S> {
  const rule = ruleOf(rules);
  return (value, field) => rule(value ?? ({} as T), field);
}

/** The rules of every item of a list. */
export function each<T, S = unknown>(
  rules: NoInfer<Rules<T, S>>,
): Rule<readonly T[] | undefined, S> {
  const rule = ruleOf(rules);
  return (items, field) => {
    items?.forEach((item, i) => {
      rule(item, field.index(i));
    });
  };
}

interface EntryRules<T, S> {
  /** Errors of keys are reported at `[key]` too. */
  readonly keys?: Rules<string, S>;
  readonly values?: Rules<T, S>;
}

/** The rules of every entry of a map. */
export function eachEntry<T, S = unknown>({
  keys = [],
  values = [],
}: EntryRules<T, S>): Rule<Readonly<Record<string, T>> | undefined, S> {
  const [keyRule, valueRule] = [ruleOf(keys), ruleOf(values)];
  return (map, field) => {
    for (const [key, value] of Object.entries(map ?? {})) {
      const at = field.key(key);
      keyRule(key, at);
      valueRule(value, at);
    }
  };
}

/** Applies rules up to the first one that reports an error. */
export function firstOf<T, S = unknown>(...rules: readonly NoInfer<Rules<T, S>>[]): Rule<T, S> {
  const compiled = rules.map((each) => ruleOf(each));
  return (value, field) => {
    const before = field.errorCount;
    for (const rule of compiled) {
      if (field.errorCount > before) return;
      rule(value, field);
    }
  };
}

/** Reports errors under another name than that of the field. */
export function named<T, S = unknown>(name: string, rules: NoInfer<Rules<T, S>>): Rule<T, S> {
  const rule = ruleOf(rules);
  return (value, field) => rule(value, field.as(name));
}

/** The rules of the fields of a union, in the order in which Kubernetes checks them. */
export type Members<T, S = unknown> = { readonly [K in keyof T]?: Rules<T[K] & {}, S> };

interface UnionOptions {
  /** The message without a member, and the one for each member after the first. */
  readonly none: string;
  readonly many: string;
  /** The names of members in errors of the first member. */
  readonly names?: Readonly<Record<string, string>>;
  /** The names of members in errors of further members. */
  readonly surplusNames?: Readonly<Record<string, string>>;
  /** A member that Kubernetes does not count: it can be set besides the first. */
  readonly uncounted?: string;
}

/** A struct with exactly one of these members. */
export function oneMember<T, S = unknown>(
  members: NoInfer<Members<T, S>>,
  { none, many, names = {}, surplusNames = {}, uncounted }: UnionOptions,
): Rule<T, S> {
  const entries = Object.entries(members) as [string, Rules<unknown, S>][];
  const rules = entries.map(([name, each]) => ({ name, rule: ruleOf(each) }));
  return (value, field) => {
    const values = value as Readonly<Record<string, unknown>>;
    const set = rules.filter(({ name }) => values[name] !== undefined);
    if (set.length === 0) field.required(none);
    for (const { name, rule } of set) {
      const isFirst = name === set[0]?.name;
      if (isFirst || name === uncounted) {
        const at = field.child(name);
        rule(values[name], names[name] === undefined ? at : at.as(names[name]));
      } else field.child(surplusNames[name] ?? name).forbidden(many);
    }
  };
}
