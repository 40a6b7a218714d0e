import type { LabelSelector, PodTemplateSpec } from "@rookery/api";
import type { TableColumn } from "@rookery/apiserver";
import { formatSelector } from "@rookery/kube";
import { column, wide } from "../meta/columns.ts";

/** Names and images of the containers of a template, in wide output. */
export function containerColumns<T extends object>(
  template: (object: T) => PodTemplateSpec | undefined,
): TableColumn[] {
  const containers = (object: T) => template(object)?.spec?.containers ?? [];
  return [
    wide(
      column("Containers", "string", (object: T) =>
        containers(object)
          .map(({ name }) => name)
          .join(","),
      ),
    ),
    wide(
      column("Images", "string", (object: T) =>
        containers(object)
          .map(({ image }) => image)
          .join(","),
      ),
    ),
  ];
}

export function selectorColumn<T extends object>(
  selector: (object: T) => LabelSelector | undefined,
): TableColumn {
  return wide(column("Selector", "string", (object: T) => formatSelector(selector(object))));
}
