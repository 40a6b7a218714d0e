/** Who writes what, and how. */
export interface Step {
  readonly as: string;
  readonly by: "create" | "update" | "merge" | "json" | "strategic" | "apply";
  /** Where it is a function, it is given the object as it is. */
  readonly body: unknown;
  readonly subresource?: string;
  readonly force?: boolean;
  /** Another version than the subject's. */
  readonly apiVersion?: string;
}

type Sequence = readonly Step[];

export interface Subject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly plural: string;
  /** Of a built-in kind. */
  readonly model?: string;
  readonly goType?: string;
  readonly resetFields?: Readonly<Record<string, readonly (readonly string[])[]>>;
  /** What the server fills in after it kept account, such as an address. */
  readonly allocated?: readonly (readonly string[])[];
  readonly sequences: Readonly<Record<string, Sequence>>;
}

type Writes = (as: string, body: unknown, more?: Partial<Step>) => Step;

const step =
  (by: Step["by"]): Writes =>
  (as, body, more = {}) => ({ as, by, body, ...more });

export const create = step("create");
export const update = step("update");
export const merge = step("merge");
export const json = step("json");
export const strategic = step("strategic");
export const apply = step("apply");
