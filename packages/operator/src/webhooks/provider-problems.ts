import type { Provider } from "@rookery/api";
import {
  type ContainerSpec,
  Downloader,
  FetchError,
  isImage,
  openRepository,
  patchProblem,
  providerLabel,
} from "@rookery/components";
import {
  FieldError,
  type FieldPath,
  fieldPath,
  omitValue,
  validateDns1123Subdomain,
  validateLabelSelector,
  validateLabels,
  validateLabelValue,
} from "@rookery/kube";
import { managerProblems } from "./manager-problems.ts";

const imageParts = ["repository", "name", "tag"] as const;
/** Images that are valid if the part is. */
const imagesWith = {
  repository: (value: string) => `${value.replace(/\/$/, "")}/name`,
  name: (value: string) => `registry.example/${value}`,
  tag: (value: string) => `registry.example/name:${value}`,
};
const flagName = /^[A-Za-z][\w.-]*$/;

/** The errors of a container that a structural schema does not find. */
function containerProblems(container: ContainerSpec, path: FieldPath): FieldError[] {
  const { image, args } = container;
  return [
    ...(image === undefined ? [] : imageProblems(image, path.child("image"))),
    ...argumentProblems(args ?? {}, path.child("args")),
  ];
}

function imageProblems(image: unknown, path: FieldPath): FieldError[] {
  if (typeof image === "string") {
    if (isImage(image)) return [];
    const detail = "must be an image, such as registry.example.com/team/controller:v1";
    return [FieldError.invalid(path, image, detail)];
  }
  if (typeof image !== "object" || image === null || Array.isArray(image)) {
    const detail = "must be a string, or an object with any of repository, name and tag";
    return [FieldError.typeInvalid(path, image, detail)];
  }
  return imagePartProblems(image as Readonly<Record<string, unknown>>, path);
}

function imagePartProblems(
  image: Readonly<Record<string, unknown>>,
  path: FieldPath,
): FieldError[] {
  const unknown = Object.keys(image).filter((key) => !imageParts.some((part) => part === key));
  if (unknown.length > 0) {
    return unknown.map((key) =>
      FieldError.invalid(path.child(key), image[key], `must be one of ${imageParts.join(", ")}`),
    );
  }
  return imageParts.flatMap((part) => {
    const value = image[part];
    if (value === undefined) return [];
    if (typeof value !== "string") {
      return [FieldError.typeInvalid(path.child(part), value, "must be a string")];
    }
    const isFine = value === "" || isImage(imagesWith[part](value));
    return isFine
      ? []
      : [FieldError.invalid(path.child(part), value, `must be the ${part} of an image`)];
  });
}

function argumentProblems(args: Readonly<Record<string, unknown>>, path: FieldPath): FieldError[] {
  return Object.entries(args).flatMap(([name, value]) => {
    if (!flagName.test(name)) {
      const detail = "must be the name of a flag, without dashes before it and without a value";
      return [FieldError.invalid(path, name, detail)];
    }
    if (["string", "number", "boolean"].includes(typeof value)) return [];
    const detail = "must be a string, a number or a boolean";
    return [FieldError.typeInvalid(path.key(name), value, detail)];
  });
}

const spec = fieldPath("spec");

/** The errors of a provider that its schema does not find. */
export function providerProblems(provider: Provider): readonly FieldError[] {
  const { manager = {}, deployment = {} } = provider.spec ?? {};
  const containers = spec.child("deployment", "containers");
  return [
    ...nameProblems(provider),
    ...secretNameProblems(provider),
    ...fetchProblems(provider),
    ...patchProblems(provider),
    ...managerProblems(manager, spec.child("manager")),
    ...validateLabels(deployment.nodeSelector ?? {}, spec.child("deployment", "nodeSelector")),
    ...(deployment.containers ?? []).flatMap((container, index) =>
      containerProblems(container, containers.index(index)),
    ),
  ];
}

/** The name is part of a label, whose values are shorter than names. */
function nameProblems({ kind, metadata: { name = "" } }: Provider): FieldError[] {
  const label = providerLabel({ kind, name });
  return validateLabelValue(label).map((why) =>
    FieldError.invalid(fieldPath("metadata", "name"), name, `the label ${label} made of it ${why}`),
  );
}

function secretNameProblems({ metadata, spec: { secretName } = {} }: Provider): FieldError[] {
  if (secretName === undefined) return [];
  const where = `it names a Secret in the provider's own namespace ${metadata.namespace}`;
  return validateDns1123Subdomain(secretName).map((why) =>
    FieldError.invalid(spec.child("secretName"), secretName, `${why}; ${where}`),
  );
}

function patchProblems({ spec: { patches = [] } = {} }: Provider): FieldError[] {
  return patches.flatMap((patch, index) => {
    const why = patchProblem(patch);
    const field = spec.child("patches").index(index);
    return why === undefined ? [] : [FieldError.invalid(field, omitValue, why)];
  });
}

function fetchProblems({ kind, metadata: { name = "" }, spec: wanted }: Provider): FieldError[] {
  const { fetchConfig } = wanted ?? {};
  if (!fetchConfig) return [];
  const path = spec.child("fetchConfig");
  const { url, selector } = fetchConfig;
  const selectorProblems = validateLabelSelector(selector, path.child("selector"));
  if (url === undefined) return selectorProblems;
  const provider = { kind, name };
  const variables = () => undefined;
  try {
    openRepository({ provider, fetchConfig, variables, downloader: new Downloader() });
    return selectorProblems;
  } catch (error) {
    if (!(error instanceof FetchError)) throw error;
    // The URL may have a password.
    return [FieldError.invalid(path.child("url"), omitValue, error.message)];
  }
}
