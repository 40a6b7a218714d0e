import type { BodyRenamer } from "../body-renamer.ts";
import { applyEdits, type Form } from "../forms/form.ts";
import { type OperationName, operationEdits } from "../forms/operation-edits.ts";
import { renameName } from "../forms/text-edits.ts";
import { ifReadable } from "../group-suffix-error.ts";
import type { GroupMapping } from "../mapping/group-mapping.ts";
import type { RenameCel } from "../rules/cel-fields.ts";
import type { CelField } from "./message.ts";
import type { Range } from "./wire-cursor.ts";

interface Slot {
  readonly form: Form;
  readonly raw: Uint8Array;
  readonly renamed: Uint8Array | undefined;
}

const slots = 256;
const longest = 96;

/** Caches renamed short names, because names repeat in lists. */
class NameMemo {
  readonly #slots: (Slot | undefined)[] = new Array(slots).fill(undefined);
  readonly #rename: (text: string, form: Form) => string;

  constructor(rename: (text: string, form: Form) => string) {
    this.#rename = rename;
  }

  /** Undefined where nothing matches. */
  rename(bytes: Buffer, range: Range, form: Form): Uint8Array | undefined {
    if (range.end - range.start > longest) return this.#compute(bytes, range, form);
    const at = slotOf(bytes, range);
    const slot = this.#slots[at];
    if (slot !== undefined && slot.form === form && isSame(slot.raw, bytes, range)) {
      return slot.renamed;
    }
    const renamed = this.#compute(bytes, range, form);
    this.#slots[at] = {
      form,
      raw: Uint8Array.prototype.slice.call(bytes, range.start, range.end),
      renamed,
    };
    return renamed;
  }

  #compute(bytes: Buffer, { start, end }: Range, form: Form): Uint8Array | undefined {
    const text = bytes.toString("latin1", start, end);
    const renamed = this.#rename(text, form);
    return renamed === text ? undefined : Buffer.from(renamed, "latin1");
  }
}

function slotOf(bytes: Buffer, { start, end }: Range): number {
  let hash = end - start;
  for (let i = start; i < end; i++) hash = (hash * 31 + (bytes[i] ?? 0)) | 0;
  return (hash ^ (hash >>> 16)) & (slots - 1);
}

function isSame(raw: Uint8Array, bytes: Buffer, { start, end }: Range): boolean {
  if (raw.length !== end - start) return false;
  for (let i = start; i < end; i++) {
    if (raw[i - start] !== bytes[i]) return false;
  }
  return true;
}

interface TextRenamerOptions {
  readonly mapping: GroupMapping;
  readonly json: BodyRenamer;
  readonly renameCel: RenameCel;
}

/**
 * Renames texts as bytes, one character each. Groups are ASCII, so invalid UTF-8 stays unchanged.
 */
export class TextRenamer {
  readonly #mapping: GroupMapping;
  readonly #json: BodyRenamer;
  readonly #names: NameMemo;
  readonly #shortest: number;
  readonly #renameCel: RenameCel;

  constructor({ mapping, json, renameCel }: TextRenamerOptions) {
    this.#renameCel = renameCel;
    this.#names = new NameMemo((text, form) => renameName(text, form, mapping));
    this.#mapping = mapping;
    this.#json = json;
    const names = mapping.pairs.flatMap(({ virtual, real }) => [virtual, real]);
    this.#shortest = Math.min(...names.map((name) => name.length));
  }

  /** Undefined where nothing matches. */
  rename(bytes: Buffer, range: Range, form: Form): Uint8Array | undefined {
    if (range.end - range.start < this.#shortest) return undefined;
    if (form === "lastApplied") return ifReadable(() => this.json(bytes, range));
    return this.#names.rename(bytes, range, form);
  }

  /** Undefined without certain edits. */
  cel(bytes: Buffer, { start, end }: Range, { place, kind }: CelField): Uint8Array | undefined {
    const text = bytes.toString("latin1", start, end);
    const edits = this.#renameCel(text, place, kind);
    return edits.length === 0 ? undefined : Buffer.from(applyEdits(text, edits), "latin1");
  }

  /** Renames names derived from one of these groups. Undefined where nothing matches. */
  operation(
    bytes: Buffer,
    { start, end }: Range,
    { name, groups }: { readonly name: OperationName; readonly groups: readonly string[] },
  ): Uint8Array | undefined {
    const group = groups.find((each) => this.#mapping.swap(each) !== each);
    if (group === undefined) return undefined;
    const text = bytes.toString("latin1", start, end);
    const edits = operationEdits(text, { group, name }, this.#mapping);
    return edits.length === 0 ? undefined : Buffer.from(applyEdits(text, edits), "latin1");
  }

  /** Renames JSON. Undefined where nothing matches. Throws UnreadableBodyError. */
  json(bytes: Buffer, { start, end }: Range): Uint8Array | undefined {
    const part = bytes.subarray(start, end);
    const renamed = this.#json.rename(part, undefined);
    return renamed === part ? undefined : renamed;
  }
}
