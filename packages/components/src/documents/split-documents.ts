export interface DocumentSource {
  readonly text: string;
  /** The number among the documents with content, from 1. */
  readonly index: number;
  /** Its first line in the file, from 1. */
  readonly line: number;
}

const separator = /^(?:---(?=[ \t\r]|$)|\.\.\.(?=[ \t\r]|$)).*$/gm;

/** Splits a file at its "---" lines. Documents of comments and blank lines are left out. */
export function splitDocuments(file: string): readonly DocumentSource[] {
  const text = file.startsWith("\uFEFF") ? file.slice(1) : file;
  const documents: DocumentSource[] = [];
  let [start, line] = [0, 1];
  const add = (end: number) => {
    const part = text.slice(start, end);
    if (!isEmpty(part)) documents.push({ text: part, index: documents.length + 1, line });
  };
  for (const match of text.matchAll(separator)) {
    add(match.index);
    line += countLines(text, start, match.index);
    // Text behind "---" belongs to the next document.
    start = match.index + 3;
  }
  add(text.length);
  return documents;
}

function isEmpty(text: string): boolean {
  return !/^[ \t]*[^\s#%]/m.test(text);
}

function countLines(text: string, start: number, end: number): number {
  let lines = 0;
  for (let at = text.indexOf("\n", start); at >= 0 && at < end; at = text.indexOf("\n", at + 1)) {
    lines += 1;
  }
  return lines;
}
