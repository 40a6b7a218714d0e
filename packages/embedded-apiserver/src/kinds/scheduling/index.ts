import { priorityClassKind } from "./priority-class.ts";

export const schedulingKinds = [priorityClassKind];
