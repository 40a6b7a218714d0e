import { compiledSchema } from "@rookery/apiserver";
import { deepEqual, type KubeObject } from "@rookery/kube";
import { applyDefaults, type JSONObject, type JSONSchemaProps, prune } from "@rookery/schema";

/**
 * An object that was stored or converted, as its schema has it now: without fields that this does not
 * know any more, and with defaults that came since. The same one where nothing has to change.
 */
export function completeObject(object: KubeObject, schema: JSONSchemaProps): KubeObject {
  const compiled = compiledSchema(schema);
  const { object: pruned, unknownFields } = prune(compiled, object as unknown as JSONObject);
  const known = unknownFields.length === 0 ? (object as unknown as JSONObject) : pruned;
  const complete = applyDefaults(compiled, known) as unknown as KubeObject;
  return complete === object || deepEqual(complete, object) ? object : complete;
}
