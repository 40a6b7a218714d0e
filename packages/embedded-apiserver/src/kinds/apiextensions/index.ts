import { customResourceDefinitionKind } from "./custom-resource-definition.ts";

export const apiextensionsKinds = [customResourceDefinitionKind];
