import { deepEqual } from "@rookery/kube";
import {
  type Document,
  isMap,
  isScalar,
  isSeq,
  type Node,
  type Scalar,
  type YAMLMap,
  type YAMLSeq,
} from "yaml";
import { type Fields, isFields } from "../update-at.ts";

interface Change {
  readonly before: unknown;
  readonly after: unknown;
}

/** Merges a change into parsed YAML, and keeps comments and format of unchanged parts. */
export function mergeChanges(document: Document, change: Change): void {
  const merged = merge(document, document.contents, change);
  document.contents = merged as typeof document.contents;
}

function merge(document: Document, node: unknown, { before, after }: Change): unknown {
  if (before === after || deepEqual(before, after)) return node;
  if (isMap(node) && isFields(before) && isFields(after)) {
    return mergeMap(document, node, { before, after });
  }
  if (isSeq(node) && Array.isArray(before) && Array.isArray(after)) {
    return mergeSeq(document, node, { before, after });
  }
  if (!isScalar(node) || isFields(after) || Array.isArray(after))
    return createNode(document, after);
  return typeof before === "string" && typeof after === "string"
    ? Object.assign(node, { value: after })
    : withComments(createNode(document, after), node);
}

/** Aliases would be hard to read. */
const plain = { aliasDuplicateObjects: false };

export function createNode(document: Document, value: unknown): Node {
  return document.createNode(value, plain) as Node;
}

/** Keeps the comments of a value whose type changes. */
function withComments(node: Node, { comment, commentBefore, spaceBefore }: Scalar): Node {
  return Object.assign(
    node,
    comment != null && { comment },
    commentBefore != null && { commentBefore },
    spaceBefore != null && { spaceBefore },
  );
}

function mergeMap(
  document: Document,
  node: YAMLMap,
  { before, after }: { readonly before: Fields; readonly after: Fields },
): YAMLMap {
  for (const key of Object.keys(before)) if (!Object.hasOwn(after, key)) node.delete(key);
  for (const [key, value] of Object.entries(after)) {
    if (!Object.hasOwn(before, key)) node.add(document.createPair(key, value, plain));
    else {
      const held = node.get(key, true);
      const merged = merge(document, held, { before: before[key], after: value });
      if (merged !== held) node.set(key, merged);
    }
  }
  return node;
}

function mergeSeq(
  document: Document,
  node: YAMLSeq,
  { before, after }: { readonly before: readonly unknown[]; readonly after: readonly unknown[] },
): YAMLSeq {
  const unused = new Set(before.keys());
  node.items = after.map((value, position) => {
    const index = counterpart(value, position, { before, after, unused });
    if (index === undefined) return createNode(document, value);
    unused.delete(index);
    return merge(document, node.items[index], { before: before[index], after: value }) as Node;
  });
  return node;
}

/** The index of a new element in the old list: by equality, name, or position. */
function counterpart(
  value: unknown,
  position: number,
  lists: {
    readonly before: readonly unknown[];
    readonly after: readonly unknown[];
    readonly unused: ReadonlySet<number>;
  },
): number | undefined {
  const { before, after, unused } = lists;
  const find = (fits: (old: unknown) => boolean) => [...unused].find((at) => fits(before[at]));
  const same = find((old) => old === value || deepEqual(old, value));
  if (same !== undefined) return same;
  const named = find((old) => isFields(old) && isFields(value) && isSameName(old.name, value.name));
  if (named !== undefined) return named;
  return before.length === after.length && unused.has(position) ? position : undefined;
}

const isSameName = (one: unknown, other: unknown) => one !== undefined && one === other;
