/** One character of a pattern, or "*". */
type Token = "*" | ((character: string) => boolean);

/** Whether a whole text matches a shell pattern of "*", "?", "[a-z]" and "\x"; a broken one never does. */
export function compileGlob(pattern: string): (characters: readonly string[]) => boolean {
  const tokens = tokenize([...pattern]);
  return (characters) => tokens !== undefined && matches(tokens, characters);
}

function tokenize(pattern: readonly string[]): readonly Token[] | undefined {
  const tokens: Token[] = [];
  for (let index = 0; index < pattern.length; index++) {
    const character = pattern[index];
    if (character === "*") tokens.push("*");
    else if (character === "?") tokens.push(() => true);
    else if (character === "[") {
      const parsed = parseClass(pattern, index + 1);
      if (!parsed) return undefined;
      tokens.push(parsed.token);
      index = parsed.end;
    } else {
      const literal = character === "\\" ? pattern[++index] : character;
      if (literal === undefined) return undefined;
      tokens.push((other) => other === literal);
    }
  }
  return tokens;
}

/** After "[", up to "]". */
function parseClass(pattern: readonly string[], start: number) {
  const negated = pattern[start] === "^";
  const ranges: [number, number][] = [];
  let index = negated ? start + 1 : start;
  const take = (): number | undefined => {
    if (pattern[index] === "-" || pattern[index] === "]") return undefined;
    if (pattern[index] === "\\") index += 1;
    return pattern[index++]?.codePointAt(0);
  };
  while (pattern[index] !== "]" || ranges.length === 0) {
    const low = take();
    if (low === undefined) return undefined;
    const isRange = pattern[index] === "-";
    if (isRange) index += 1;
    const high = isRange ? take() : low;
    if (high === undefined) return undefined;
    ranges.push([low, high]);
  }
  const token = (character: string) => {
    const point = character.codePointAt(0) ?? 0;
    return ranges.some(([low, high]) => low <= point && point <= high) !== negated;
  };
  return { token, end: index };
}

/** Two pointers and the last star: the time grows with the product of the lengths, never faster. */
function matches(tokens: readonly Token[], characters: readonly string[]): boolean {
  let [token, position, star, resume] = [0, 0, -1, 0];
  while (position < characters.length) {
    const wanted = tokens[token];
    if (wanted === "*") {
      [star, resume] = [token, position];
      token += 1;
    } else if (wanted?.(characters[position] ?? "")) {
      token += 1;
      position += 1;
    } else if (star >= 0) {
      resume += 1;
      [token, position] = [star + 1, resume];
    } else return false;
  }
  return tokens.slice(token).every((rest) => rest === "*");
}
