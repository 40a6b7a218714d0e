import { humanDuration } from "@rookery/kube";
import type { Paint } from "../output/colours.ts";
import { formatParagraph } from "../output/table.ts";
import type { TreeCondition } from "./tree-node.ts";

export interface ShownCondition {
  readonly status: string;
  readonly reason: string;
  readonly since: string;
  readonly message: readonly string[];
}

export interface Shower {
  readonly paint: Paint;
  readonly now: Date;
  /** Of the terminal; absent where there is none. */
  readonly width?: number | undefined;
  /** At which messages are broken, 100. */
  readonly messageWidth?: number;
}

const usualWidth = 100;
/** Where nobody knows when it was: the longest time that Go knows. */
const always = 2 ** 63 / 1e6;

/** Conditions that tell of something that is better not so. */
const negative = new Set([
  ...["Paused", "Deleting", "RollingOut", "ScalingUp", "ScalingDown", "Updating", "Remediating"],
]);

export function showCondition(
  condition: TreeCondition,
  { paint, now, messageWidth = usualWidth }: Shower,
  isPositive = true,
): ShownCondition {
  const { status, reason, message } = condition;
  return {
    status: paint(colourOf(status, isPositive), status),
    reason,
    since: sinceText(condition, now),
    message: formatParagraph(message, messageWidth),
  };
}

export function isPositive({ type }: TreeCondition): boolean {
  return !negative.has(type);
}

/** Whether somebody should look at it: it is not as it should be, or says something. */
export function isNotable(condition: TreeCondition): boolean {
  const { type, status, message } = condition;
  if (type === "Available" || type === "Ready") return true;
  return status !== (isPositive(condition) ? "True" : "False") || message !== "";
}

export function sinceText({ lastTransitionTime }: TreeCondition, now: Date): string {
  return humanDuration(
    lastTransitionTime ? now.getTime() - Date.parse(lastTransitionTime) : always,
  );
}

function colourOf(status: string, isGood: boolean): "green" | "red" | "yellow" {
  if (status === "Unknown") return "yellow";
  return (status === "True") === isGood ? "green" : "red";
}
