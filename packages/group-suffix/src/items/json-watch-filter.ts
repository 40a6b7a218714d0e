import { TruncatedBodyError, UnreadableBodyError } from "../errors.ts";
import { CutBuffer } from "../held-bytes.ts";
import { forgetBytes } from "../json/simd/scanner.ts";
import { valueEnd } from "../json/value-end.ts";
import { ValueSkipper } from "../json/value-skipper.ts";
import { namespaceOfEvent, skipSpace } from "./json-member.ts";
import { NamespaceFilter } from "./namespace-filter.ts";

const openBrace = 0x7b;

/** Removes events of a watch with their line feeds. */
export class JsonWatchFilter extends NamespaceFilter {
  readonly #buffer = new CutBuffer();
  readonly #skipper = new ValueSkipper();
  /** The beginning of an incomplete event; -1 between events. */
  #event = -1;
  #at = 0;
  #dropsSpace = false;

  push(chunk: Uint8Array): readonly Uint8Array[] {
    this.#buffer.append(chunk);
    forgetBytes();
    while (this.#event < 0 ? this.#beginEvent() : this.#endEvent());
    const held = this.#event < 0 ? this.#at : this.#event;
    this.#at -= held;
    if (this.#event >= 0) this.#event = 0;
    return this.#buffer.flush(held);
  }

  end(): readonly Uint8Array[] {
    if (this.#event >= 0) throw new TruncatedBodyError("JSON");
    return [];
  }

  #beginEvent(): boolean {
    const { bytes } = this.#buffer;
    const start = skipSpace(bytes, this.#at, bytes.length);
    if (this.#dropsSpace) this.#buffer.cut(this.#at, start);
    this.#at = start;
    if (start === bytes.length) return false;
    if (bytes[start] !== openBrace) throw new UnreadableBodyError("JSON", "an event is no object");
    this.#event = start;
    const end = valueEnd(bytes, start, bytes.length);
    if (end < 0) this.#skipper.begin();
    else this.#decide(end);
    return true;
  }

  #endEvent(): boolean {
    const { bytes } = this.#buffer;
    this.#at = this.#skipper.skip(bytes, this.#at, bytes.length);
    if (this.#skipper.active) return false;
    this.#decide(this.#at);
    return true;
  }

  #decide(end: number): void {
    const namespace = namespaceOfEvent(this.#buffer.bytes, this.#event, end);
    this.#dropsSpace = !this.passes(namespace);
    if (this.#dropsSpace) this.#buffer.cut(this.#event, end);
    this.#event = -1;
    this.#at = end;
  }
}
