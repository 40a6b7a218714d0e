import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { checkStructural, type JSONSchemaProps } from "@rookery/schema";
import { parse, stringify } from "yaml";
import { customResourceDefinitionOf } from "../declaration/render.ts";
import { coreKinds, customResourceDefinitions, kinds } from "./kinds.ts";

const definitions = [...customResourceDefinitions(), ...coreKinds.map(customResourceDefinitionOf)];

describe("every kind", () => {
  for (const definition of definitions) {
    const { name } = definition.metadata;

    test(`${name} is plain JSON, the same after a way through YAML`, () => {
      assert.deepEqual(JSON.parse(JSON.stringify(definition)), definition);
      assert.deepEqual(parse(stringify(definition)), definition);
    });

    test(`${name} has schemas and rules that an API server accepts`, () => {
      for (const version of definition.spec.versions) {
        assert.deepEqual(checkStructural(version.schema.openAPIV3Schema).map(String), []);
      }
    });

    test(`${name} explains each of its fields`, () => {
      for (const version of definition.spec.versions) {
        const { properties = {}, description } = version.schema.openAPIV3Schema;
        assert.ok(description);
        const { apiVersion, kind, metadata, ...own } = properties;
        assert.deepEqual([...undocumented(own)], []);
      }
    });
  }

  test("has a CustomResourceDefinition of its own", () => {
    const names = customResourceDefinitions().map(({ metadata }) => metadata.name);
    assert.equal(new Set(names).size, kinds.length);
    assert.deepEqual(names, names.toSorted());
  });
});

function* undocumented(
  properties: Readonly<Record<string, JSONSchemaProps>>,
  path = "",
): Generator<string> {
  for (const [name, schema] of Object.entries(properties)) {
    if (!schema.description?.endsWith(".")) yield `${path}.${name}`;
    const items = schema.items && "type" in schema.items ? schema.items.properties : undefined;
    yield* undocumented({ ...schema.properties, ...items }, `${path}.${name}`);
  }
}
