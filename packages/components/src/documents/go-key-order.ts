const letter = /\p{L}/u;
const digit = /\p{Nd}/u;

/** The order of keys in Go's YAML: others ahead of letters, and numbers inside by their value. */
export function compareGoKeys(a: string, b: string): number {
  const [one, other] = [[...a], [...b]];
  const at = one.findIndex((character, index) => character !== other[index]);
  if (at === -1 || at >= other.length) return one.length - other.length;
  const [x = "", y = ""] = [one[at], other[at]];
  const [isLetter, isOther] = [letter.test(x), letter.test(y)];
  if (isLetter && isOther) return compare(x, y);
  if (isLetter || isOther) return isOther ? -1 : 1;
  return compareNumbers(one, other, at) || compare(x, y);
}

/** Digits behind the same number belong to it: "a01" is behind "a1", and "a10" behind "a2". */
function compareNumbers(one: readonly string[], other: readonly string[], at: number): number {
  const hasZero = one[at] === "0" || other[at] === "0";
  const lead = hasZero && leadsToNumber(one, at) ? "1" : "";
  const [a, b] = [digitsFrom(one, at), digitsFrom(other, at)];
  return Number(lead + a) - Number(lead + b) || a.length - b.length;
}

function leadsToNumber(characters: readonly string[], at: number): boolean {
  for (let index = at - 1; index >= 0; index -= 1) {
    const character = characters[index] ?? "";
    if (!digit.test(character)) return false;
    if (character !== "0") return true;
  }
  return false;
}

function digitsFrom(characters: readonly string[], at: number): string {
  const end = characters.findIndex((one, index) => index >= at && !digit.test(one));
  return characters.slice(at, end === -1 ? undefined : end).join("");
}

function compare(a: string, b: string): number {
  return (a.codePointAt(0) ?? 0) - (b.codePointAt(0) ?? 0);
}
