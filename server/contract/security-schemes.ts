/** How the callers of a contract authenticate, by its `securitySchemes` and `security`. */
import { isObject } from '../text/object.ts';
import { resolve } from './plain-document.ts';

/** A security scheme of the contract (OpenAPI 3.1, "Security Scheme Object"). */
export interface SecurityScheme {
  readonly type: string;
  /** The name of the header, query parameter or cookie of an API key. */
  readonly name?: string;
  readonly in?: string;
  /** The authentication scheme of `http`, such as `basic`. */
  readonly scheme?: string;
}

type Requirement = Readonly<Record<string, readonly string[]>>;

/** The security schemes of a contract by name, with references resolved. */
export function securitySchemes(document: object): Map<string, SecurityScheme> {
  const { components } = document as { readonly components?: unknown };
  const described = isObject(components) && isObject(components.securitySchemes) ? components.securitySchemes : {};
  return new Map(
    Object.entries(described).map(([name, scheme]) => [name, resolve<SecurityScheme>(document, scheme as never)]),
  );
}

/** The alternatives of an operation: its own, or those of the document. */
export function requirementsOf(document: object, operation: unknown): readonly Requirement[] {
  const own = isObject(operation) ? operation.security : undefined;
  const described = own ?? (document as { readonly security?: unknown }).security;
  return Array.isArray(described) ? described.filter(isObject).map((each) => each as Requirement) : [];
}
