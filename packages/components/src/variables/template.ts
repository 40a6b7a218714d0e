/** A template as it was read: text, and substitutions between it. */
export type Template = readonly TemplateNode[];

export type TemplateNode = string | Substitution;

/** "${name}", or with an operation: "${name:=default}". */
export interface Substitution {
  readonly name: string;
  /** "" for a plain one. */
  readonly operation: string;
  readonly args: readonly TemplateNode[];
}
