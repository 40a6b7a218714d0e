/** Answers of vCenters are a tenth as deep, and a page of a hundred machines has a tenth as many. */
const deepest = 100;
const mostElements = 100_000;
const longestTag = 64 * 1024;

/** Why a document is not parsed: more of it than of its length in memory; undefined where it may be. */
export function xmlProblem(document: string): string | undefined {
  let depth = 0;
  let elements = 0;
  for (let start = document.indexOf("<"); start >= 0; ) {
    const end = endOfMarkup(document, start);
    if (end === undefined) return "it has a piece of markup without an end, or a declaration";
    const change = depthChange(document, start, end);
    depth += change;
    if (change >= 0 && isElement(document, start)) elements += 1;
    if (depth > deepest) return `it is deeper than ${deepest} elements`;
    if (elements > mostElements) return `it has more than ${mostElements} elements`;
    start = document.indexOf("<", end);
  }
  return undefined;
}

/** Behind the markup; a declaration of a type may define entities, and no vCenter sends one. */
function endOfMarkup(document: string, start: number): number | undefined {
  if (document.startsWith("<!--", start)) return behind(document, "-->", start);
  if (document.startsWith("<![CDATA[", start)) return behind(document, "]]>", start);
  if (document.startsWith("<!", start)) return undefined;
  const end = behind(document, ">", start);
  return end !== undefined && end - start <= longestTag ? end : undefined;
}

function behind(document: string, mark: string, start: number): number | undefined {
  const found = document.indexOf(mark, start);
  return found < 0 ? undefined : found + mark.length;
}

function depthChange(document: string, start: number, end: number): number {
  if (document[start + 1] === "/") return -1;
  const isWhole = document[end - 2] === "/" || !isElement(document, start);
  return isWhole ? 0 : 1;
}

function isElement(document: string, start: number): boolean {
  const next = document[start + 1];
  return next !== "/" && next !== "!" && next !== "?";
}
