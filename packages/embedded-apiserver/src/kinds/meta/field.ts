import { FieldError, FieldPath } from "@rookery/kube";

/** How a field is reached from its parent. */
type Step = "child" | "index" | "key";

interface Origin<S> {
  readonly path: FieldPath;
  /** The stored object in an update. */
  readonly old: unknown;
  /** Values that the rules need besides that of the field. */
  readonly scope: S;
}

/** The results of rules. */
interface Findings {
  readonly errors: FieldError[];
  readonly warnings: string[];
}

/**
 * The field that a rule checks: its path, its stored value, and the errors and warnings found so far.
 * The path is only built when an error or a rule needs it.
 */
export class Field<S = unknown> {
  readonly scope: S;
  readonly #findings: Findings;
  #path: FieldPath | undefined;
  #old: unknown;
  #parent: Field | undefined;
  #step: Step = "child";
  #name: string | number = "";
  #seen: Map<string | number, Set<unknown>> | undefined;

  private constructor(findings: Findings, scope: S) {
    this.#findings = findings;
    this.scope = scope;
  }

  static root<S>(findings: Findings, { path, old, scope }: Origin<S>): Field<S> {
    const field = new Field(findings, scope);
    field.#path = path;
    field.#old = old;
    return field;
  }

  child(...names: readonly string[]): Field<S> {
    let field: Field<S> = this;
    for (const name of names) field = field.#to("child", name);
    return field;
  }

  index(index: number): Field<S> {
    return this.#to("index", index);
  }

  key(key: string): Field<S> {
    return this.#to("key", key);
  }

  /** The same field under another name, for fields that Kubernetes reports under a different name. */
  as(...names: readonly string[]): Field<S> {
    const field = this.#copy(this.scope);
    field.#path = (this.#parent?.path ?? FieldPath.root).child(...names);
    return field;
  }

  /** The same field with another scope. */
  withScope<T>(scope: T): Field<T> {
    return this.#copy(scope);
  }

  /** The name of the field, or the key of the entry. */
  get name(): string {
    return String(this.#name);
  }

  /** The struct or the list of this field. */
  get parent(): Field {
    return this.#parent ?? this;
  }

  get path(): FieldPath {
    this.#path ??= this.#builtPath();
    return this.#path;
  }

  /** The value of the same field in the stored object; undefined for a new object. */
  get old(): unknown {
    const old = this.#parent === undefined ? this.#old : this.#parent.old;
    if (this.#parent === undefined || old === undefined || old === null) return old ?? undefined;
    return Reflect.get(Object(old), this.#name) ?? undefined;
  }

  get errorCount(): number {
    return this.#findings.errors.length;
  }

  /** Whether an earlier item of the enclosing list has this value in the same field. Records the value. */
  isRepeated(value: unknown): boolean {
    const { list, name } = this.#itemField();
    list.#seen ??= new Map();
    const seen = list.#seen.get(name) ?? new Set();
    list.#seen.set(name, seen);
    if (seen.has(value)) return true;
    seen.add(value);
    return false;
  }

  report(errors: readonly FieldError[]): void {
    for (const error of errors) this.#findings.errors.push(error);
  }

  /** A warning that names the field. */
  warn(detail: string): void {
    this.#findings.warnings.push(`${this.path}: ${detail}`);
  }

  /** A warning that does not name the field. */
  warnPlainly(text: string): void {
    this.#findings.warnings.push(text);
  }

  required(detail = ""): void {
    this.#findings.errors.push(FieldError.required(this.path, detail));
  }

  invalid(value: unknown, detail: string): void {
    this.#findings.errors.push(FieldError.invalid(this.path, value, detail));
  }

  /** One error for each detail. */
  invalidEach(value: unknown, details: readonly string[]): void {
    for (const detail of details) this.invalid(value, detail);
  }

  notSupported(value: unknown, supported: readonly string[]): void {
    this.#findings.errors.push(FieldError.notSupported(this.path, value, supported));
  }

  forbidden(detail: string): void {
    this.#findings.errors.push(FieldError.forbidden(this.path, detail));
  }

  duplicate(value: unknown): void {
    this.#findings.errors.push(FieldError.duplicate(this.path, value));
  }

  notFound(value: unknown): void {
    this.#findings.errors.push(FieldError.notFound(this.path, value));
  }

  tooLong(maxBytes: number): void {
    this.#findings.errors.push(FieldError.tooLong(this.path, maxBytes));
  }

  tooMany(actual: number, max: number): void {
    this.#findings.errors.push(FieldError.tooMany(this.path, actual, max));
  }

  #copy<T>(scope: T): Field<T> {
    const field = new Field(this.#findings, scope);
    field.#path = this.#path;
    field.#old = this.#old;
    field.#parent = this.#parent;
    field.#step = this.#step;
    field.#name = this.#name;
    return field;
  }

  #to(step: Step, name: string | number): Field<S> {
    const field = new Field(this.#findings, this.scope);
    field.#parent = this;
    field.#step = step;
    field.#name = name;
    return field;
  }

  #builtPath(): FieldPath {
    const parent = this.#parent?.path ?? FieldPath.root;
    if (this.#step === "index") return parent.index(Number(this.#name));
    const name = String(this.#name);
    return this.#step === "key" ? parent.key(name) : parent.child(name);
  }

  /** The enclosing list, and the name of the field in its items: "" for an item itself. */
  #itemField(): { readonly list: Field; readonly name: string | number } {
    if (this.#step === "index" && this.#parent) return { list: this.#parent, name: "" };
    const item = this.#parent ?? this;
    return { list: item.#parent ?? item, name: this.#name };
  }
}
