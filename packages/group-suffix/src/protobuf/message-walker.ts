import type { Form } from "../forms/form.ts";
import { groupsOfKinds } from "../forms/text-edits.ts";
import { isNamedAfterGroups } from "../rules/choices.ts";
import { Edits } from "./edits.ts";
import { prefixLength } from "./envelope.ts";
import type { Field, MapField, Message, NameField, OperationField } from "./message.ts";
import type { TextRenamer } from "./text-renamer.ts";
import { equals, lastValue, type Range, textsAt, unreadable, WireCursor } from "./wire-cursor.ts";

export interface WalkerOptions {
  readonly texts: TextRenamer;
  /** The message of an envelope after its prefix; undefined without a prefix. */
  readonly envelope: (bytes: Buffer, range: Range) => Message | undefined;
}

/** The limit of nested envelopes: an event has a list, which has objects. */
const maxDepth = 8;

/**
 * Walks through the messages of a body and collects edits. Methods return the growth, so that the
 * lengths of the messages around are updated.
 */
export class MessageWalker {
  readonly #edits = new Edits();
  readonly #bytes: Buffer;
  readonly #cursor: WireCursor;
  readonly #options: WalkerOptions;
  #depth = 0;
  /** Cached properties of the object that a message names. */
  #named: { readonly within: Range; readonly afterGroups: boolean } | undefined;
  /** Cached groups of the kinds of an operation. */
  #kinds: { readonly within: Range; readonly groups: readonly string[] } | undefined;

  constructor(bytes: Buffer, options: WalkerOptions) {
    this.#bytes = bytes;
    this.#cursor = new WireCursor(bytes);
    this.#options = options;
  }

  /** The renamed body; undefined where nothing matches. */
  get renamed(): Uint8Array | undefined {
    return this.#edits.count === 0 ? undefined : this.#edits.apply(this.#bytes);
  }

  /** Walks through an enveloped object, which is the body or a part of it. */
  envelope(range: Range): number {
    const growth = this.#envelope(range);
    if (growth === undefined) throw unreadable("it does not begin as an object of Kubernetes does");
    return growth;
  }

  message(message: Message, range: Range): number {
    const cursor = this.#cursor;
    const edits = this.#edits;
    const { end } = range;
    cursor.position = range.start;
    let growth = 0;
    while (cursor.position < end) {
      const tag = cursor.tag(end);
      const field = message[tag >>> 3];
      if (field === undefined) {
        cursor.skip(tag, end);
        continue;
      }
      const lengthStart = cursor.position;
      const value = { start: 0, end: cursor.valueEnd(tag, end) };
      value.start = cursor.position;
      const index = edits.count;
      const grown = this.#value(field, value, range);
      cursor.position = value.end;
      if (grown === 0) continue;
      const length = { start: lengthStart, end: value.start };
      growth += grown + edits.resize(index, length, value.end - value.start + grown);
    }
    return growth;
  }

  #value(field: Field, value: Range, within: Range): number {
    switch (field.type) {
      case "message":
        return this.message(field.message, value);
      case "text":
        return this.#text(field.form, value);
      case "cel":
        return this.#replace(value, this.#options.texts.cel(this.#bytes, value, field));
      case "name":
        return this.#name(field, value, within);
      case "operation":
        return this.#operation(field, value, within);
      case "map":
        return this.#entry(field, value);
      case "embedded":
        return this.#embedded(value);
      case "json":
        return this.#json(value);
    }
  }

  #text(form: Form, value: Range): number {
    return this.#replace(value, this.#options.texts.rename(this.#bytes, value, form));
  }

  /** Few names look like groups, so the kind is checked second. */
  #name({ kind }: NameField, value: Range, within: Range): number {
    const renamed = this.#options.texts.rename(this.#bytes, value, "resourceName");
    if (renamed === undefined) return 0;
    if (this.#named?.within !== within) {
      const kinds = textsAt(this.#bytes, within, kind);
      this.#named = { within, afterGroups: kinds.some(isNamedAfterGroups) };
    }
    return this.#named.afterGroups ? this.#replace(value, renamed) : 0;
  }

  #operation({ name, kinds }: OperationField, value: Range, within: Range): number {
    if (this.#kinds?.within !== within) {
      const groups = textsAt(this.#bytes, within, kinds).flatMap(groupsOfKinds);
      this.#kinds = { within, groups: [...new Set(groups)] };
    }
    const { groups } = this.#kinds;
    const renamed = this.#options.texts.operation(this.#bytes, value, { name, groups });
    return this.#replace(value, renamed);
  }

  #entry({ entries, others }: MapField, value: Range): number {
    const key = entries.length === 0 ? undefined : lastValue(this.#bytes, value, 1);
    const known = key && entries.find((entry) => equals(this.#bytes, key, entry.key));
    const message = known?.message ?? others;
    return message === undefined ? 0 : this.message(message, value);
  }

  #embedded(value: Range): number {
    return value.end === value.start ? 0 : (this.#envelope(value) ?? this.#json(value));
  }

  #json(value: Range): number {
    return this.#replace(value, this.#options.texts.json(this.#bytes, value));
  }

  /** Undefined without an envelope. */
  #envelope({ start, end }: Range): number | undefined {
    const message = this.#options.envelope(this.#bytes, { start, end });
    if (message === undefined) return undefined;
    if (this.#depth === maxDepth) throw unreadable("objects are nested too deep");
    this.#depth++;
    const growth = this.message(message, { start: start + prefixLength, end });
    this.#depth--;
    return growth;
  }

  #replace({ start, end }: Range, renamed: Uint8Array | undefined): number {
    return renamed === undefined ? 0 : this.#edits.replace(start, end, renamed);
  }
}
