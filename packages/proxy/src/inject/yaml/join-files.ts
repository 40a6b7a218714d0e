/** One stream of documents from the texts of several files. */
export function joinFiles(texts: readonly string[]): string {
  return texts
    .filter((text) => text.trim() !== "")
    .map((text, index) =>
      index === 0 || /^---(\s|$)/m.test(firstLine(text)) ? text : `---\n${text}`,
    )
    .join("");
}

const firstLine = (text: string) => text.slice(0, text.indexOf("\n"));
