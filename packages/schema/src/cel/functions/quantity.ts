import { ParseError, parseQuantity, type Quantity, QuantityError, quantityOf } from "@rookery/kube";
import { BOOL, DOUBLE, INT, objectType, STRING } from "../cel-type.ts";
import type { Meter } from "../meter.ts";
import { CelError, NO_SUCH_OVERLOAD } from "../values/cel-error.ts";
import { Opaque } from "../values/opaque.ts";
import type { Value } from "../values/value.ts";
import { type FunctionDeclaration, type Implementation, member, overload } from "./declare.ts";

const QUANTITY = objectType("kubernetes.Quantity");

/** A quantity such as "100Mi". */
class CelQuantity extends Opaque {
  readonly type = QUANTITY;
  readonly quantity: Quantity;
  /** Kubernetes can't compare *with* a sum or difference, only from it. */
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

function parse(text: string, meter: Meter): CelQuantity | CelError {
  // The time that large integers take is not linear.
  meter.work((text.length / 100) ** 2);
  try {
    return new CelQuantity(parseQuantity(text));
  } catch (error) {
    if (error instanceof ParseError) return new CelError(error.reason);
    throw error;
  }
}

function of(value: Value | undefined): Quantity {
  return value instanceof CelQuantity
    ? value.quantity
    : quantityOf(value as bigint, "DecimalExponent");
}

function calculate(operation: (a: Quantity, b: Quantity) => Quantity): Implementation {
  return ([left, right]) => {
    try {
      return new CelQuantity(operation(of(left), of(right)), true);
    } catch (error) {
      if (error instanceof QuantityError) return new CelError(error.message);
      throw error;
    }
  };
}

const add = calculate((a, b) => a.add(b));
const sub = calculate((a, b) => a.sub(b));

/** Kubernetes' library of resource quantities. */
export const QUANTITY_FUNCTIONS: readonly FunctionDeclaration[] = [
  {
    name: "quantity",
    overloads: [
      overload(["string_to_quantity", [STRING], QUANTITY], ([text], meter) =>
        parse(text as string, meter),
      ),
    ],
  },
  {
    name: "isQuantity",
    overloads: [
      overload(
        ["is_quantity_string", [STRING], BOOL],
        ([text], meter) => !(parse(text as string, meter) instanceof CelError),
      ),
    ],
  },
  {
    name: "sign",
    overloads: [overload(["quantity_sign", [QUANTITY], INT], ([value]) => BigInt(of(value).sign))],
  },
  {
    name: "isGreaterThan",
    overloads: [
      member(
        ["quantity_is_greater_than", [QUANTITY, QUANTITY], BOOL],
        ([a, b]) => of(a).compare(of(b)) > 0,
      ),
    ],
  },
  {
    name: "isLessThan",
    overloads: [
      member(
        ["quantity_is_less_than", [QUANTITY, QUANTITY], BOOL],
        ([a, b]) => of(a).compare(of(b)) < 0,
      ),
    ],
  },
  {
    name: "compareTo",
    overloads: [
      member(["quantity_compare_to", [QUANTITY, QUANTITY], INT], ([a, b]) =>
        BigInt(of(a).compare(of(b))),
      ),
    ],
  },
  {
    name: "asApproximateFloat",
    overloads: [
      member(["quantity_get_float", [QUANTITY], DOUBLE], ([value]) =>
        of(value).asApproximateFloat(),
      ),
    ],
  },
  {
    name: "asInteger",
    overloads: [
      member(["quantity_get_int", [QUANTITY], INT], ([value]) =>
        of(value).isInteger
          ? of(value).asInteger()
          : new CelError("cannot convert value to integer"),
      ),
    ],
  },
  {
    name: "isInteger",
    overloads: [
      member(["quantity_is_integer", [QUANTITY], BOOL], ([value]) => of(value).isInteger),
    ],
  },
  {
    name: "add",
    overloads: [
      member(["quantity_add", [QUANTITY, QUANTITY], QUANTITY], add),
      member(["quantity_add_int", [QUANTITY, INT], QUANTITY], add),
    ],
  },
  {
    name: "sub",
    overloads: [
      member(["quantity_sub", [QUANTITY, QUANTITY], QUANTITY], sub),
      member(["quantity_sub_int", [QUANTITY, INT], QUANTITY], sub),
    ],
  },
];
