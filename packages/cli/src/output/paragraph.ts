const blanks = /[\t\n\f\r ]+/;

/**
 * Breaks lines that are longer than a width between words. Lines of the text stay lines, and what
 * belongs to an item of a list stays below its text.
 */
export function formatParagraph(text: string, width: number): readonly string[] {
  return text.split("\n").flatMap((line) => breakLine(line, width));
}

function breakLine(line: string, width: number): readonly string[] {
  const [start = ""] = /^ */.exec(line) ?? [];
  const indent = line.trim().startsWith("* ") ? `${start}  ` : start;
  const lines: string[] = [];
  let current = start;
  for (const word of line.split(blanks)) {
    if (sizeOf(current) + sizeOf(word) < width) {
      current += current.trim() === "" ? word : ` ${word}`;
    } else {
      lines.push(current);
      current = indent + word;
    }
  }
  return [...lines, current];
}

/** In bytes, as others count it. */
function sizeOf(text: string): number {
  return Buffer.byteLength(text);
}
