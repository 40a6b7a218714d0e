import { PatchError } from "../errors.ts";
import { quote } from "../go/quote.ts";
import { assign, isRecord } from "../object/deep.ts";

/** An object or a list that a patch changes. `get` of a missing object key is null. */
export interface Container {
  /** 0 for an object. */
  readonly length: number;
  /** The value of a key on the path; undefined where it is missing. */
  find(key: string): unknown;
  get(key: string): unknown;
  /** Whether "replace" may set the key: any key of an object, an existing index of a list. */
  has(key: string): boolean;
  set(key: string, value: unknown): void;
  add(key: string, value: unknown): void;
  remove(key: string): void;
}

export function isContainer(value: unknown): value is Record<string, unknown> | unknown[] {
  return typeof value === "object" && value !== null;
}

export function containerOf(value: unknown): Container | undefined {
  if (Array.isArray(value)) return new ListContainer(value);
  return isRecord(value) ? new ObjectContainer(value) : undefined;
}

/** The keys of a JSON pointer. Text before the first slash is ignored, as in Kubernetes. */
export function decodePointer(pointer: string): string[] {
  return pointer
    .split("/")
    .slice(1)
    .map((token) => token.replace(/~[01]/g, (escaped) => (escaped === "~1" ? "/" : "~")));
}

export function encodePointer(key: string): string {
  return key.replaceAll("~", "~0").replaceAll("/", "~1");
}

class ObjectContainer implements Container {
  readonly length = 0;
  readonly #object: Record<string, unknown>;

  constructor(object: Record<string, unknown>) {
    this.#object = object;
  }

  find(key: string): unknown {
    return Object.hasOwn(this.#object, key) ? this.#object[key] : undefined;
  }

  get(key: string): unknown {
    return this.find(key) ?? null;
  }

  has(): boolean {
    return true;
  }

  set(key: string, value: unknown): void {
    assign(this.#object, key, value);
  }

  add(key: string, value: unknown): void {
    this.set(key, value);
  }

  remove(key: string): void {
    if (!Object.hasOwn(this.#object, key)) {
      throw new PatchError(`Unable to remove nonexistent key: ${key}: missing value`, 422);
    }
    delete this.#object[key];
  }
}

class ListContainer implements Container {
  readonly #list: unknown[];

  constructor(list: unknown[]) {
    this.#list = list;
  }

  get length(): number {
    return this.#list.length;
  }

  find(key: string): unknown {
    return this.has(key) ? this.get(key) : undefined;
  }

  get(key: string): unknown {
    return this.#list[this.#index(parseIndex(key), this.#list.length)];
  }

  has(key: string): boolean {
    const index = toIndex(key);
    const { length } = this.#list;
    return index !== undefined && index >= -length && index < length;
  }

  set(key: string, value: unknown): void {
    this.#list[this.#index(parseIndex(key), this.#list.length)] = value;
  }

  add(key: string, value: unknown): void {
    if (key === "-") {
      this.#list.push(value);
      return;
    }
    const index = toIndex(key);
    if (index === undefined) {
      const reason = `value was not a proper array index: '${key}': ${notAnIndex(key)}`;
      throw new PatchError(reason, 422);
    }
    this.#list.splice(this.#index(index, this.#list.length + 1), 0, value);
  }

  remove(key: string): void {
    this.#list.splice(this.#index(parseIndex(key), this.#list.length), 1);
  }

  /** A negative index counts from the end. */
  #index(index: number, length: number): number {
    if (index < length && index >= -length) return index < 0 ? index + length : index;
    const reason = `Unable to access invalid index: ${index}: invalid index referenced`;
    throw new PatchError(reason, 422);
  }
}

function toIndex(key: string): number | undefined {
  return /^[+-]?[0-9]+$/.test(key) ? Number(key) : undefined;
}

function parseIndex(key: string): number {
  const index = toIndex(key);
  if (index === undefined) throw new PatchError(notAnIndex(key), 422);
  return index;
}

function notAnIndex(key: string): string {
  return `strconv.Atoi: parsing ${quote(key)}: invalid syntax`;
}
