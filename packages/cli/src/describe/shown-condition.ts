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
  /** The width of the terminal; absent without one. */
  readonly width?: number | undefined;
  /** The width of messages, by default 100. */
  readonly messageWidth?: number;
}

const usualWidth = 100;
/** The age of an unknown time: Go's longest duration. */
const always = 2 ** 63 / 1e6;

/** Conditions that are False in the desired state. */
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

/** Whether it needs attention: it is not in the desired state, or has a message. */
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
