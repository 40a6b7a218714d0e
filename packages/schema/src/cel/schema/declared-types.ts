import { CelType, listOf, mapOf, optionalOf, STRING, typeOfType } from "../cel-type.ts";
import type { Declarations } from "../check/checked.ts";
import { runtimeType } from "../check/type-names.ts";
import { escapedKeyword } from "../escaping.ts";
import type { DeclType, ObjectDecl } from "./decl-type.ts";

/** The type of an object of a schema; its fields get their types when they are asked for. */
class DeclaredObject extends CelType {
  readonly #decl: ObjectDecl;
  readonly #fields = new Map<string, CelType>();

  constructor(name: string, decl: ObjectDecl) {
    super("struct", name);
    this.#decl = decl;
  }

  field(written: string): CelType | undefined {
    const name = this.#decl.fields.has(written) ? written : (escapedKeyword(written) ?? written);
    const known = this.#fields.get(name);
    if (known) return known;
    const decl = this.#decl.fields.get(name);
    if (!decl) return undefined;
    const type = typeOfDecl(decl, `${this.name}.${name}`);
    this.#fields.set(name, type);
    return type;
  }
}

function typeOfDecl(decl: DeclType, name: string): CelType {
  switch (decl.kind) {
    case "scalar":
      return decl.type;
    case "list":
      return listOf(typeOfDecl(decl.element, `${name}.@idx`));
    case "map":
      return mapOf(STRING, typeOfDecl(decl.element, `${name}.@elem`));
    case "object":
      return new DeclaredObject(name, decl);
  }
}

/** What a rule can refer to: the data as `self` and `oldSelf`, and the names of types. */
export function ruleDeclarations(decl: DeclType, optionalOldSelf: boolean): Declarations {
  const self = typeOfDecl(decl, "selfType");
  const oldSelf = optionalOldSelf ? optionalOf(self) : self;
  return {
    identifier(name) {
      if (name === "self") return self;
      if (name === "oldSelf") return oldSelf;
      const type = runtimeType(name);
      return type && typeOfType(type);
    },
    field: (object, name) => (object instanceof DeclaredObject ? object.field(name) : undefined),
  };
}
