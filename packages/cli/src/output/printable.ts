/** The color codes of `painter`, none of which hides text. */
const colour = /^\[(?:[0-4]|2[2-4]|3[1-79]|9[0-7])m/;

/**
 * Escapes control characters, by which names and messages of others could hide lines or type into the
 * terminal. Colors stay.
 */
export function printable(text: string): string {
  return text.replaceAll(control, (found, place: number) => {
    const rest = text.slice(place + 1, place + 6);
    if (found === "\r" && rest.startsWith("\n")) return found;
    if (found === "\u001b" && colour.test(rest)) return found;
    return `\\u${found.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: those are looked for
const control = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;
