import { controlPlaneLabel } from "@rookery/cluster-api";
import type { Condition, ConditionStatement, Finding, KubeObject } from "@rookery/kube";
import {
  afterColon,
  byPriority,
  compareTransition,
  type MergeOptions,
  mergedStatus,
  notYetReported,
  type Priority,
  priorityWith,
  type Reported,
} from "./merge.ts";

export interface AggregateOptions extends MergeOptions {
  /** The type of the condition of each object. */
  readonly of: string;
}

interface Reporting extends Pick<KubeObject, "kind" | "metadata"> {
  readonly status?: { readonly conditions?: readonly Condition[] };
}

const messagesShown = 3;
const namesShown = 3;
const others: Readonly<Record<Priority, string>> = {
  issue: "with other issues",
  unknown: "with status unknown",
  info: "with additional info",
};

/** One finding for the same condition of several objects, with their most important messages. */
export function aggregateOf(objects: readonly Reporting[], options: AggregateOptions): Finding {
  const { of, priorityOf = priorityWith(options.negative ? [of] : []) } = options;
  const reported = objects.map((object) => reportOf(object, of)).sort(compareTransition);
  const groups = byPriority(reported, priorityOf);
  const wrong = [...groups.issue, ...groups.unknown];
  const shown = wrong.length > 0 ? wrong : groups.info.filter(hasMessage);
  return { ...mergedStatus(groups, options), message: messageOf(shown, priorityOf) };
}

function reportOf({ kind, metadata, status }: Reporting, type: string): Reported {
  const { name = "", labels = {} } = metadata;
  const isControlPlane = kind === "Machine" && controlPlaneLabel in labels;
  const condition =
    status?.conditions?.find((one) => one.type === type) ??
    notYetReported(type, `Condition ${type} not yet reported`);
  return { owner: { kind, name, isControlPlane }, condition };
}

function hasMessage({ condition }: Reported): boolean {
  return condition.message !== "";
}

interface MessageGroup {
  readonly message: string;
  readonly priority: Priority;
  readonly names: readonly string[];
  readonly isFirst: boolean;
}

/** All objects are of one kind: Machines, or a single control plane. */
function messageOf(
  reported: readonly Reported[],
  priorityOf: (condition: ConditionStatement) => Priority,
): string {
  const [first] = reported;
  if (!first) return "";
  const { kind } = first.owner;
  const groups = groupedByMessage(reported, priorityOf).sort(compare);
  const shown = groups.slice(0, messagesShown).map(({ message, names }) => {
    return `* ${namesOf(kind, names)}:${afterColon(message)}`;
  });
  const hidden = groups.slice(messagesShown);
  return [...shown, ...restOf(kind, hidden)].join("\n");
}

function groupedByMessage(
  reported: readonly Reported[],
  priorityOf: (condition: ConditionStatement) => Priority,
): MessageGroup[] {
  const messages = Map.groupBy(reported, ({ condition }) => condition.message);
  return Array.from(messages, ([message, of]) => {
    const priorities = of.map(({ condition }) => priorityOf(condition));
    const priority = ranks.find((rank) => priorities.includes(rank)) ?? "info";
    const isFirst = of.some(({ owner }) => owner.isControlPlane);
    return { message, priority, isFirst, names: sortedNames(of) };
  });
}

const ranks: readonly Priority[] = ["issue", "unknown", "info"];

/** Machines of the control plane come first. */
function sortedNames(reported: readonly Reported[]): string[] {
  const keyOf = ({ owner }: Reported) => `${owner.isControlPlane ? 0 : 1}${owner.name}`;
  return reported
    .toSorted((left, right) => (keyOf(left) < keyOf(right) ? -1 : 1))
    .map(({ owner }) => owner.name);
}

function compare(left: MessageGroup, right: MessageGroup): number {
  if (left.isFirst !== right.isFirst) return left.isFirst ? -1 : 1;
  const rank = ranks.indexOf(left.priority) - ranks.indexOf(right.priority);
  if (rank !== 0) return rank;
  const count = right.names.length - left.names.length;
  if (count !== 0) return count;
  return left.names.join() < right.names.join() ? -1 : 1;
}

function namesOf(kind: string, names: readonly string[]): string {
  if (names.length === 1) return `${kind} ${names[0]}`;
  const shown = names.slice(0, namesShown).join(", ");
  const more = names.length - namesShown;
  return more > 0 ? `${kind}s ${shown}, ... (${more} more)` : `${kind}s ${shown}`;
}

function restOf(kind: string, hidden: readonly MessageGroup[]): string[] {
  return ranks.flatMap((rank) => {
    const count = hidden
      .filter(({ priority }) => priority === rank)
      .reduce((sum, { names }) => sum + names.length, 0);
    if (count === 0) return [];
    return [`And ${count} ${count === 1 ? kind : `${kind}s`} ${others[rank]}`];
  });
}
