import { PatchError } from "../errors.ts";
import { deepCopy, deepEqual, isRecord, own } from "../object/deep.ts";
import {
  type Container,
  containerOf,
  decodePointer,
  encodePointer,
  isContainer,
} from "./json-pointer.ts";

/** One step of a JSON patch (RFC 6902). */
export type JsonPatchOperation =
  | { readonly op: "add" | "replace" | "test"; readonly path: string; readonly value: unknown }
  | { readonly op: "remove"; readonly path: string }
  | { readonly op: "move" | "copy"; readonly from: string; readonly path: string };

export interface JsonPatchOptions {
  /** The total bytes that "copy" may add: each can double the document. */
  readonly maxCopiedBytes?: number;
}

const defaultMaxCopiedBytes = 3 * 1024 * 1024;

/** Adding or removing a list item moves all items after it. */
const maxMovedItems = 500_000_000;

/** An unvalidated operation: any field may be missing. */
type RawOperation = Readonly<Record<string, unknown>>;

/**
 * Applies a JSON patch with the semantics of kube-apiserver: "replace" also adds, a "test" for
 * null passes for a missing value, an index may count from the end, and a parent must exist. The
 * document is not changed. Throws a PatchError in kube-apiserver's words.
 */
export function applyJsonPatch(
  document: unknown,
  operations: readonly JsonPatchOperation[],
  options: JsonPatchOptions = {},
): unknown {
  const patcher = new JsonPatcher(deepCopy(document), options);
  for (const operation of parseOperations(operations)) patcher.apply(operation);
  return patcher.document;
}

/**
 * A JSON patch that turns one document into another. Compares list items by index, because a
 * minimal diff takes quadratic time.
 */
export function createJsonPatch(original: unknown, modified: unknown): JsonPatchOperation[] {
  const operations: JsonPatchOperation[] = [];
  addChanges(operations, "", [original, modified]);
  return operations;
}

type Values = readonly [before: unknown, after: unknown];

function addChanges(operations: JsonPatchOperation[], path: string, [before, after]: Values): void {
  if (Array.isArray(before) && Array.isArray(after)) {
    for (let i = 0; i < Math.min(before.length, after.length); i++) {
      addChanges(operations, `${path}/${i}`, [before[i], after[i]]);
    }
    for (const value of after.slice(before.length)) {
      operations.push({ op: "add", path: `${path}/-`, value });
    }
    for (let i = before.length - 1; i >= after.length; i--) {
      operations.push({ op: "remove", path: `${path}/${i}` });
    }
  } else if (isRecord(before) && isRecord(after)) {
    for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
      addKeyChanges(operations, `${path}/${encodePointer(key)}`, [
        own(before, key),
        own(after, key),
      ]);
    }
  } else if (before !== after) operations.push({ op: "replace", path, value: after });
}

function addKeyChanges(operations: JsonPatchOperation[], path: string, values: Values): void {
  const [before, after] = values;
  if (before === undefined && after !== undefined)
    operations.push({ op: "add", path, value: after });
  else if (before !== undefined && after === undefined) operations.push({ op: "remove", path });
  else addChanges(operations, path, values);
}

function parseOperations(operations: unknown): readonly RawOperation[] {
  if (Array.isArray(operations) && operations.every(isRecord)) return operations;
  throw new PatchError("a JSON patch is a list of operations", 400);
}

class JsonPatcher {
  document: unknown;
  readonly #maxCopiedBytes: number;
  #copiedBytes = 0;
  #movedItems = 0;

  constructor(document: unknown, { maxCopiedBytes = defaultMaxCopiedBytes }: JsonPatchOptions) {
    this.document = document;
    this.#maxCopiedBytes = maxCopiedBytes;
  }

  apply(operation: RawOperation): void {
    const { op } = operation;
    if (op === "add") this.#add(operation);
    else if (op === "remove") this.#remove(operation);
    else if (op === "replace") this.#replace(operation);
    else if (op === "move") this.#move(operation);
    else if (op === "copy") this.#copy(operation);
    else if (op === "test") this.#test(operation);
    else throw failure(`Unexpected kind: ${typeof op === "string" ? op : "unknown"}`);
  }

  #add(operation: RawOperation): void {
    const path = required(operation, "path", "add operation failed to decode path");
    const missing = `add operation does not apply: doc is missing path: "${path}"`;
    const { container, key } = this.#find(path, missing);
    this.#countMoved(container, key);
    within(`error in add for path: '${path}'`, () =>
      container.add(key, deepCopy(operation.value ?? null)),
    );
  }

  #remove(operation: RawOperation): void {
    const path = required(operation, "path", "remove operation failed to decode path");
    const missing = `remove operation does not apply: doc is missing path: "${path}"`;
    const { container, key } = this.#find(path, missing);
    this.#countMoved(container, key);
    within(`error in remove for path: '${path}'`, () => container.remove(key));
  }

  #replace(operation: RawOperation): void {
    const path = required(
      operation,
      "path",
      "replace operation failed to decode path: operation missing path field",
    );
    const value = deepCopy(operation.value ?? null);
    if (path === "") {
      if (!isContainer(value)) throw failure("replace operation value must be object or array");
      this.document = value;
      return;
    }
    const missing = `replace operation does not apply: doc is missing path: ${path}`;
    const { container, key } = this.#find(path, missing);
    if (!container.has(key)) {
      const reason = `replace operation does not apply: doc is missing key: ${path}`;
      throw failure(`${reason}: missing value`);
    }
    container.set(key, value);
  }

  #move(operation: RawOperation): void {
    const from = requiredFrom(operation, "move");
    const missing = `move operation does not apply: doc is missing from path: ${from}`;
    const source = this.#find(from, missing);
    this.#countMoved(source.container, source.key);
    const value = within(`error in move for path: '${source.key}'`, () => {
      const moved = source.container.get(source.key);
      source.container.remove(source.key);
      return moved;
    });
    const path = required(
      operation,
      "path",
      "move operation failed to decode path: operation missing path field",
    );
    const lost = `move operation does not apply: doc is missing destination path: ${path}`;
    const target = this.#find(path, lost);
    this.#countMoved(target.container, target.key);
    within(`error in move for path: '${path}'`, () => target.container.add(target.key, value));
  }

  #copy(operation: RawOperation): void {
    const from = requiredFrom(operation, "copy");
    const missing = `copy operation does not apply: doc is missing from path: ${from}`;
    const source = this.#find(from, missing);
    const value = within(`error in copy for from: '${from}'`, () =>
      source.container.get(source.key),
    );
    const path = required(operation, "path", "copy operation failed to decode path");
    const lost = `copy operation does not apply: doc is missing destination path: ${path}`;
    const target = this.#find(path, lost);
    this.#countCopied(value);
    this.#countMoved(target.container, target.key);
    within("error while adding value during copy", () =>
      target.container.add(target.key, deepCopy(value)),
    );
  }

  #countCopied(value: unknown): void {
    this.#copiedBytes += new TextEncoder().encode(JSON.stringify(value)).length;
    if (this.#copiedBytes <= this.#maxCopiedBytes) return;
    throw failure(
      `Unable to complete the copy, the accumulated size increase of copy is ${this.#copiedBytes}, exceeding the limit ${this.#maxCopiedBytes}`,
    );
  }

  #countMoved({ length }: Container, key: string): void {
    if (key !== "-") this.#movedItems += length;
    if (this.#movedItems <= maxMovedItems) return;
    throw failure("the patch adds or removes too many items of long lists; replace the whole list");
  }

  #test(operation: RawOperation): void {
    const path = required(
      operation,
      "path",
      "test operation failed to decode path: operation missing path field",
    );
    if (!deepEqual(this.#valueAt(path), operation.value ?? null)) {
      throw failure(`testing value ${path} failed: test failed`);
    }
  }

  #valueAt(path: string): unknown {
    if (path === "") return this.document;
    const missing = `test operation does not apply: is missing path: ${path}`;
    const { container, key } = this.#find(path, missing);
    return within(`error in test for path: '${path}'`, () => container.get(key));
  }

  /** The parent of a pointer's target; every container on the path must exist. */
  #find(path: string, missing: string): { container: Container; key: string } {
    const tokens = decodePointer(path);
    const key = tokens.pop();
    let value = this.document;
    for (const token of tokens) value = containerOf(value)?.find(token);
    const container = containerOf(value);
    if (key === undefined || container === undefined) throw failure(`${missing}: missing value`);
    return { container, key };
  }
}

function required(operation: RawOperation, field: "path" | "from", problem: string): string {
  const value = operation[field];
  if (typeof value === "string") return value;
  throw failure(`${problem}: missing value`);
}

function requiredFrom(operation: RawOperation, op: "move" | "copy"): string {
  const problem = `${op} operation failed to decode from: operation, missing from field`;
  return required(operation, "from", problem);
}

/** Prefixes the problem of a container with the operation. */
function within<T>(prefix: string, action: () => T): T {
  try {
    return action();
  } catch (error) {
    if (error instanceof PatchError) throw failure(`${prefix}: ${error.reason}`);
    throw error;
  }
}

function failure(reason: string): PatchError {
  return new PatchError(reason, 422);
}
