import { type GoType, goTypeOf } from "../../../src/types/go-types.ts";

const maxDepth = 9;
const texts = ["", "a", "A b", "0", "Always", "None", "Localhost", "../x", "1.2.3.4", "In", "x/y"];
const numbers = [0, 1, -1, 80, 70_000, 2_147_483_647];
const quantities = ["0", "1", "-1", "500m", "1Gi", "1u"];

/** Makes objects of a Go type with any of its fields, as a client may send them. */
export class RandomObjects {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0 || 1;
  }

  objectOf(goType: string): object {
    return this.#valueOf(goTypeOf(goType), 0) as object;
  }

  /** A number from 0 up to, but not including, the count (xorshift). */
  #below(count: number): number {
    this.#state ^= this.#state << 13;
    this.#state ^= this.#state >>> 17;
    this.#state ^= this.#state << 5;
    return (this.#state >>> 0) % count;
  }

  #one<T>(items: readonly T[]): T {
    return items[this.#below(items.length)] as T;
  }

  #valueOf(type: GoType, depth: number): unknown {
    const { kind, element } = type;
    switch (kind) {
      case "struct":
        return this.#structOf(type, depth);
      case "pointer":
        return element && this.#valueOf(element, depth);
      case "slice":
        return Array.from({ length: 1 + this.#below(2) }, () => this.#itemOf(element, depth));
      case "map":
        return { [this.#one(["a", "cpu", "storage", "a b"])]: this.#itemOf(element, depth) };
      case "string":
        return this.#one(texts);
      case "bool":
        return this.#below(2) === 1;
      case "quantity":
        return this.#one(quantities);
      case "intOrString":
        return this.#one([...numbers, "http", "25%", ""]);
      case "bytes":
        return "YQ==";
      case "time":
        return "2026-01-01T00:00:00Z";
      case "microTime":
        return "2026-01-01T00:00:00.000000Z";
      case "int32":
      case "int64":
        return this.#one(numbers);
      default:
        return undefined;
    }
  }

  #itemOf(element: GoType | undefined, depth: number): unknown {
    return element === undefined ? undefined : this.#valueOf(element, depth + 1);
  }

  /** About one of three fields; the deeper, the fewer. */
  #structOf({ fields }: GoType, depth: number): object {
    const entries = fields.flatMap((field) => {
      if (field.json === "") return Object.entries(this.#valueOf(field.type, depth) as object);
      const isLeft = depth > maxDepth || this.#below(2 + Math.floor(depth / 2)) > 0;
      const isNeeded = depth === 0 && (field.json === "spec" || field.json === "subsets");
      if (isLeft && !isNeeded) return [];
      return [[field.json, this.#valueOf(field.type, depth + 1)] as const];
    });
    return Object.fromEntries(entries);
  }
}
