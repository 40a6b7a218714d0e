import { type Rule, type Rules, ruleOf } from "./rules.ts";

/** Absent to Go: a zero value, or a list without items. */
export function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === "" || value === 0) return true;
  return Array.isArray(value) && value.length === 0;
}

/** The rules of a pointer, for where it is set. */
export function optional<T, S = unknown>(rules: NoInfer<Rules<T, S>>): Rule<T | undefined, S> {
  const rule = ruleOf(rules);
  return (value, field) => {
    if (value !== undefined && value !== null) rule(value, field);
  };
}

/** The rules of a value that may be empty. */
export function unlessEmpty<T, S = unknown>(rules: NoInfer<Rules<T, S>>): Rule<T | undefined, S> {
  const rule = ruleOf(rules);
  return (value, field) => {
    if (value !== undefined && !isEmpty(value)) rule(value, field);
  };
}

/** A value that may not be empty, and its further rules; `detail` is the reason. */
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

/** The rules of a struct that is no pointer: its rules apply where it is absent too. */
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
  /** The rules of the keys, which are reported at `[key]` too. */
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

/** Rules of which only the first that reports something counts. */
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

/** Reports under another name than that of the field, as Kubernetes does in places. */
export function named<T, S = unknown>(name: string, rules: NoInfer<Rules<T, S>>): Rule<T, S> {
  const rule = ruleOf(rules);
  return (value, field) => rule(value, field.as(name));
}

/** The rules of the fields of a union, in the order in which Kubernetes looks at them. */
export type Members<T, S = unknown> = { readonly [K in keyof T]?: Rules<T[K] & {}, S> };

interface UnionOptions {
  /** The message where no member is set, and that for each member after the first. */
  readonly none: string;
  readonly many: string;
  /** Names of members under which Kubernetes reports them where they are the first. */
  readonly names?: Readonly<Record<string, string>>;
  /** The same where there is another one before. */
  readonly surplusNames?: Readonly<Record<string, string>>;
  /** A member that Kubernetes does not count: it may be set besides the first. */
  readonly uncounted?: string;
}

/** A struct of which exactly one of these members is set. */
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
