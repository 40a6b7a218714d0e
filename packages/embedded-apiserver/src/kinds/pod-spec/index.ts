/** PodSpecs and PodTemplateSpecs: their defaults, what is wrong with them, and what is odd. */
export { podTemplateDefaults } from "./defaults.ts";
export { dropDisabledFields } from "./disabled-fields.ts";
export { podTemplate } from "./validate-template.ts";
export { podTemplateWarnings } from "./warnings.ts";
