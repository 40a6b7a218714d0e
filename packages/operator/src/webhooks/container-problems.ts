import { type ContainerSpec, isImage } from "@rookery/components";
import { FieldError, type FieldPath } from "@rookery/kube";

const imageParts = ["repository", "name", "tag"] as const;
const flagName = /^[A-Za-z][\w.-]*$/;

/** The errors of a container that a structural schema does not find. */
export function containerProblems(container: ContainerSpec, path: FieldPath): FieldError[] {
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
    const isFine = value === "" || isImage(completed(part, value));
    return isFine
      ? []
      : [FieldError.invalid(path.child(part), value, `must be the ${part} of an image`)];
  });
}

/** An image that is valid if the part is. */
function completed(part: (typeof imageParts)[number], value: string): string {
  switch (part) {
    case "repository":
      return `${value.replace(/\/$/, "")}/name`;
    case "name":
      return `registry.example/${value}`;
    case "tag":
      return `registry.example/name:${value}`;
  }
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
