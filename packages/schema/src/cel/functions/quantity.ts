import { ParseError, parseQuantity, type Quantity, QuantityError, quantityOf } from "@rookery/kube";
import { objectType } from "../cel-type.ts";
import type { Meter } from "../meter.ts";
import { CelError, NO_SUCH_OVERLOAD, Opaque, type Value } from "../values/value.ts";
import { declareFunctions, type FunctionDeclaration } from "./declare.ts";

const QUANTITY = objectType("kubernetes.Quantity");

/** A quantity such as "100Mi". */
class CelQuantity extends Opaque {
  readonly type = QUANTITY;
  readonly quantity: Quantity;
  /** Kubernetes cannot compare *with* a sum or difference, only from it. */
  readonly #computed: boolean;

  constructor(quantity: Quantity, computed = false) {
    super();
    this.quantity = quantity;
    this.#computed = computed;
  }

  equals(other: Value): boolean | CelError {
    if (!(other instanceof CelQuantity) || other.#computed) return NO_SUCH_OVERLOAD;
    return this.quantity.equals(other.quantity);
  }
}

function parse([text]: [string], meter: Meter): CelQuantity | CelError {
  // Parsing large integers takes more than linear time.
  meter.work((text.length / 100) ** 2);
  try {
    return new CelQuantity(parseQuantity(text));
  } catch (error) {
    if (error instanceof ParseError) return new CelError(error.reason);
    throw error;
  }
}

function quantityIn(value: CelQuantity | bigint): Quantity {
  return value instanceof CelQuantity ? value.quantity : quantityOf(value, "DecimalExponent");
}

const calculate = (operation: (a: Quantity, b: Quantity) => Quantity) => {
  return ([left, right]: [CelQuantity, CelQuantity | bigint]): Value => {
    try {
      return new CelQuantity(operation(left.quantity, quantityIn(right)), true);
    } catch (error) {
      if (error instanceof QuantityError) return new CelError(error.message);
      throw error;
    }
  };
};

const compareTo = <T extends Value>(read: (order: number) => T) => {
  return ([a, b]: [CelQuantity, CelQuantity]): T => read(a.quantity.compare(b.quantity));
};

const read = (part: (quantity: Quantity) => Value) => {
  return ([{ quantity }]: [CelQuantity]): Value => part(quantity);
};

const add = calculate((a, b) => a.add(b));
const sub = calculate((a, b) => a.sub(b));

/** Kubernetes' library of resource quantities. */
export const QUANTITY_FUNCTIONS: readonly FunctionDeclaration[] = declareFunctions(
  {
    quantity: { "string_to_quantity: (string) -> Quantity": parse },
    isQuantity: {
      "is_quantity_string: (string) -> bool": (args: [string], meter) =>
        !(parse(args, meter) instanceof CelError),
    },
    sign: { "quantity_sign: (Quantity) -> int": read(({ sign }) => BigInt(sign)) },
    isGreaterThan: {
      "quantity_is_greater_than: Quantity.(Quantity) -> bool": compareTo((order) => order > 0),
    },
    isLessThan: {
      "quantity_is_less_than: Quantity.(Quantity) -> bool": compareTo((order) => order < 0),
    },
    compareTo: { "quantity_compare_to: Quantity.(Quantity) -> int": compareTo(BigInt) },
    asApproximateFloat: {
      "quantity_get_float: Quantity.() -> double": read((each) => each.asApproximateFloat()),
    },
    asInteger: {
      "quantity_get_int: Quantity.() -> int": read((each) =>
        each.isInteger ? each.asInteger() : new CelError("cannot convert value to integer"),
      ),
    },
    isInteger: { "quantity_is_integer: Quantity.() -> bool": read(({ isInteger }) => isInteger) },
    add: {
      "quantity_add: Quantity.(Quantity) -> Quantity": add,
      "quantity_add_int: Quantity.(int) -> Quantity": add,
    },
    sub: {
      "quantity_sub: Quantity.(Quantity) -> Quantity": sub,
      "quantity_sub_int: Quantity.(int) -> Quantity": sub,
    },
  },
  { Quantity: QUANTITY },
);
