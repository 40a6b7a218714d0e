import { ParseError } from "../errors.ts";
import { type LabelSelector, labelSelectorAsSelector } from "./label-selector.ts";
import type { Values } from "./selector.ts";

/** A LabelSelector that was not validated. */
export interface UncheckedLabelSelector {
  readonly matchLabels?: Values;
  readonly matchExpressions?: readonly {
    readonly key?: string;
    readonly operator?: string;
    readonly values?: readonly string[];
  }[];
}

type CompiledSelector = ReturnType<typeof labelSelectorAsSelector>;

/** Undefined where the selector is invalid. */
export function compileSelector(
  selector: UncheckedLabelSelector | undefined,
): CompiledSelector | undefined {
  try {
    return labelSelectorAsSelector(selector as LabelSelector | undefined);
  } catch (error) {
    if (error instanceof ParseError) return undefined;
    throw error;
  }
}

export function isEmptySelector({
  matchLabels,
  matchExpressions,
}: UncheckedLabelSelector): boolean {
  return Object.keys(matchLabels ?? {}).length + (matchExpressions ?? []).length === 0;
}

/** As kubectl shows it (metav1.FormatLabelSelector). */
export function formatSelector(selector: UncheckedLabelSelector | undefined): string {
  const compiled = compileSelector(selector);
  if (compiled === undefined) return "<error>";
  return compiled.toString() || "<none>";
}

/** As kubectl shows them (labels.FormatLabels). */
export function formatLabels(labels: Readonly<Record<string, string>> | undefined): string {
  const pairs = Object.entries(labels ?? {}).map(([key, value]) => `${key}=${value}`);
  return pairs.sort().join(",") || "<none>";
}
