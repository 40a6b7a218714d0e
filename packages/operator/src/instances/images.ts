import { type Component, imagesOf, isWorkload } from "@rookery/components";

/** What `rookery proxy inject` calls the proxy. */
const sidecarName = "rookery-proxy";

/** The images of a provider itself, without the proxy that may be beside it. */
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
