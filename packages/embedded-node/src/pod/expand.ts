/** Puts in `$(NAME)` as Kubernetes does: what is not known stays, `$$(NAME)` becomes `$(NAME)`. */
export function expand(text: string, known: Readonly<Record<string, string>>): string {
  return text.replace(/\$(\$|\(([^()]*)\))/g, (whole, next: string, name: string) => {
    if (next === "$") return "$";
    return Object.hasOwn(known, name) ? (known[name] ?? "") : whole;
  });
}
