import { shownStruct } from "../meta/internal-form.ts";

/** Equal lines of both texts: the two start indexes and the length. */
interface Match {
  readonly a: number;
  readonly b: number;
  readonly size: number;
}

/** Lines `a1`…`a2` of the old text, which become lines `b1`…`b2` of the new text. */
interface Change {
  readonly isEqual: boolean;
  readonly a1: number;
  readonly a2: number;
  readonly b1: number;
  readonly b2: number;
}

const context = 3;
const popularFrom = 200;
/** The search for matches is quadratic; real objects have a few hundred lines. */
const mostMatchedLines = 4000;

/**
 * Formats a unified diff without a header, like go-difflib. In long texts everything between the first
 * and the last difference is one change.
 */
export function unifiedDiff(oldText: string, newText: string): string {
  const a = oldText.split("\n");
  const b = newText.split("\n");
  const isLong = Math.max(a.length, b.length) > mostMatchedLines;
  const blocks = isLong ? equalEnds(a, b) : new Matcher(a, b).blocks();
  const groups = groupChanges(changesOf(blocks, a.length, b.length));
  return groups.map((group) => formatGroup(group, a, b)).join("");
}

/** The equal lines at the start and at the end of two texts. */
function equalEnds(a: readonly string[], b: readonly string[]): Match[] {
  const most = Math.min(a.length, b.length);
  let start = 0;
  while (start < most && a[start] === b[start]) start += 1;
  let end = 0;
  while (end < most - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end += 1;
  return [
    { a: 0, b: 0, size: start },
    { a: a.length - end, b: b.length - end, size: end },
  ].filter(({ size }) => size > 0);
}

/** Finds the equal parts of two lists of lines (Go: difflib.SequenceMatcher). */
class Matcher {
  readonly #a: readonly string[];
  readonly #b: readonly string[];
  readonly #places: ReadonlyMap<string, readonly number[]>;

  constructor(a: readonly string[], b: readonly string[]) {
    this.#a = a;
    this.#b = b;
    this.#places = placesOf(b);
  }

  blocks(): Match[] {
    return this.#within({ a: 0, b: 0 }, { a: this.#a.length, b: this.#b.length });
  }

  #within(from: Place, to: Place): Match[] {
    const match = this.#longest(from, to);
    const { a, b, size } = match;
    if (size === 0) return [];
    const before = from.a < a && from.b < b ? this.#within(from, match) : [];
    const end = { a: a + size, b: b + size };
    const after = end.a < to.a && end.b < to.b ? this.#within(end, to) : [];
    return [...before, match, ...after];
  }

  #longest(from: Place, to: Place): Match {
    let best: Match = { a: from.a, b: from.b, size: 0 };
    let lengths = new Map<number, number>();
    for (let i = from.a; i < to.a; i++) {
      const next = new Map<number, number>();
      for (const j of this.#places.get(this.#a[i] ?? "") ?? []) {
        if (j < from.b || j >= to.b) continue;
        const size = (lengths.get(j - 1) ?? 0) + 1;
        next.set(j, size);
        if (size > best.size) best = { a: i - size + 1, b: j - size + 1, size };
      }
      lengths = next;
    }
    return this.#extended(best, from, to);
  }

  /** Extends a match by frequent lines, with which no match starts. */
  #extended({ a, b, size }: Match, from: Place, to: Place): Match {
    let [i, j, length] = [a, b, size];
    while (i > from.a && j > from.b && this.#a[i - 1] === this.#b[j - 1]) {
      [i, j, length] = [i - 1, j - 1, length + 1];
    }
    while (i + length < to.a && j + length < to.b && this.#a[i + length] === this.#b[j + length]) {
      length += 1;
    }
    return { a: i, b: j, size: length };
  }
}

type Place = Pick<Match, "a" | "b">;

/** The indexes of each line, without the frequent lines of a long text. */
function placesOf(lines: readonly string[]): ReadonlyMap<string, readonly number[]> {
  const places = new Map<string, number[]>();
  lines.forEach((line, i) => {
    const found = places.get(line);
    if (found) found.push(i);
    else places.set(line, [i]);
  });
  if (lines.length < popularFrom) return places;
  const most = Math.floor(lines.length / 100) + 1;
  return new Map([...places].filter(([, found]) => found.length <= most));
}

function changesOf(blocks: readonly Match[], aEnd: number, bEnd: number): Change[] {
  const changes: Change[] = [];
  let [i, j] = [0, 0];
  for (const { a, b, size } of [...joined(blocks), { a: aEnd, b: bEnd, size: 0 }]) {
    if (i < a || j < b) changes.push({ isEqual: false, a1: i, a2: a, b1: j, b2: b });
    [i, j] = [a + size, b + size];
    if (size > 0) changes.push({ isEqual: true, a1: a, a2: i, b1: b, b2: j });
  }
  return changes;
}

/** Joins adjacent matches. */
function joined(blocks: readonly Match[]): Match[] {
  const result: Match[] = [];
  for (const block of blocks) {
    const last = result.at(-1);
    if (last && last.a + last.size === block.a && last.b + last.size === block.b) {
      result[result.length - 1] = { ...last, size: last.size + block.size };
    } else result.push(block);
  }
  return result;
}

/** Groups changes with the lines around them; distant changes are in different groups. */
function groupChanges(changes: readonly Change[]): Change[][] {
  const groups: Change[][] = [];
  let group: Change[] = [];
  for (const [i, change] of changes.entries()) {
    const isEdge = i === 0 || i === changes.length - 1;
    const shown = change.isEqual && isEdge ? trimmed(change, i === 0) : change;
    if (shown.isEqual && !isEdge && shown.a2 - shown.a1 > 2 * context) {
      groups.push([...group, trimmed(shown, false)]);
      group = [trimmed(shown, true)];
    } else group.push(shown);
  }
  const isChange = group.some(({ isEqual }) => !isEqual);
  return isChange ? [...groups, group] : groups;
}

/** The last lines of a change, or the first. */
function trimmed({ a1, a2, b1, b2 }: Change, isEnd: boolean): Change {
  return isEnd
    ? { isEqual: true, a1: Math.max(a1, a2 - context), a2, b1: Math.max(b1, b2 - context), b2 }
    : { isEqual: true, a1, a2: Math.min(a2, a1 + context), b1, b2: Math.min(b2, b1 + context) };
}

function formatGroup(group: readonly Change[], a: readonly string[], b: readonly string[]): string {
  const [first, last] = [group[0], group.at(-1)];
  if (first === undefined || last === undefined) return "";
  const head = `@@ -${formatRange(first.a1, last.a2)} +${formatRange(first.b1, last.b2)} @@`;
  const lines = group.flatMap(({ isEqual, a1, a2, b1, b2 }) => {
    const old = a.slice(a1, a2);
    if (isEqual) return old.map((line) => ` ${line}`);
    return [...old.map((line) => `-${line}`), ...b.slice(b1, b2).map((line) => `+${line}`)];
  });
  return [head, ...lines].map((line) => `${line}\n`).join("");
}

function formatRange(start: number, stop: number): string {
  const length = stop - start;
  if (length === 1) return String(start + 1);
  return `${length === 0 ? start : start + 1},${length}`;
}

/** The diff of two values of an internal type, as in messages of Kubernetes. */
export function goDiff(type: string, old: object, value: object): string {
  return unifiedDiff(goJson(type, old), goJson(type, value));
}

/** Go's json.MarshalIndent: indented by one, with <, > and & escaped. */
function goJson(type: string, value: object): string {
  const text = JSON.stringify(shownStruct(type, { ...value }), undefined, 1);
  return text.replace(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
