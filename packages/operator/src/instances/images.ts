import { type Component, imagesOf, isWorkload } from "@rookery/components";

/** The name of the container that `rookery proxy inject` adds. */
export const sidecarName = "rookery-proxy";

/** The images of a provider, without an injected proxy. */
export function providerImages(components: readonly Component[]): readonly string[] {
  return imagesOf(components.filter(isWorkload).map(withoutSidecar));
}

function withoutSidecar(component: Component): Component {
  if (!isWorkload(component)) return component;
  const { template } = component.spec;
  const { initContainers = [] } = template.spec;
  const own = initContainers.filter(({ name }) => name !== sidecarName);
  const spec = { ...template.spec, initContainers: own };
  return { ...component, spec: { ...component.spec, template: { ...template, spec } } };
}
