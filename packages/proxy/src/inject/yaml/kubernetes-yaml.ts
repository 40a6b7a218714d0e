import type { YamlOptions } from "@rookery/yaml";
import type { Scalar, Tags } from "yaml";

/**
 * YAML as kubectl reads it: version 1.1, where "yes" is true, 0644 is octal and "<<" takes in what it
 * refers to; but times are text. Numbers that do not change are written as they were.
 */
export const kubernetesYaml = {
  version: "1.1",
  tags: (tags) => tags.filter((tag) => !isTime(tag)).map(withSource),
} as const satisfies YamlOptions;

type Tag = Tags[number];

function isTime(tag: Tag): boolean {
  if (typeof tag === "string") return tag === "timestamp";
  return tag.tag.endsWith(":timestamp") || ("format" in tag && tag.format === "TIME");
}

function withSource(tag: Tag): Tag {
  if (typeof tag === "string" || !/:(int|float)$/.test(tag.tag)) return tag;
  const { stringify } = tag;
  return {
    ...tag,
    stringify: (item, context, ...rest) =>
      (item as Scalar).source ?? stringify?.(item, context, ...rest) ?? `${item.value}`,
  } as Tag;
}
