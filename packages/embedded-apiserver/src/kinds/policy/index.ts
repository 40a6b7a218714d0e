import { podDisruptionBudgetKind } from "./pod-disruption-budget.ts";

export const policyKinds = [podDisruptionBudgetKind];
