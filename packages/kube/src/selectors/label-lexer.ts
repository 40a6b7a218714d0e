/** What a label selector is made of; `end` comes last. */
export type Token =
  | { readonly type: "end"; readonly text: "" }
  | { readonly type: "identifier"; readonly text: string }
  | { readonly type: "symbol"; readonly text: string };

const symbols = /(?:==|!=|[=!(),<>])/y;
const identifier = /[^=!(),<> \t\r\n\0]+/y;
const blanks = /[ \t\r\n]*/y;

/**
 * Cuts a label selector into tokens. Kubernetes skips a NUL after a token and takes any other
 * for the end; so do we.
 */
export function lex(text: string): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  const take = (pattern: RegExp): string => {
    pattern.lastIndex = at;
    const taken = pattern.exec(text)?.[0] ?? "";
    at += taken.length;
    return taken;
  };
  for (;;) {
    take(blanks);
    if (at >= text.length || text[at] === "\0") return [...tokens, { type: "end", text: "" }];
    const symbol = take(symbols);
    tokens.push(
      symbol === ""
        ? { type: "identifier", text: take(identifier) }
        : { type: "symbol", text: symbol },
    );
    if (text[at] === "\0") at++;
  }
}
