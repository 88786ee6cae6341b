import { type TSchema, Type } from './type.ts'

/** Kinds of resources that a right could be given on. Each area adds its own by declaration merging. */
// biome-ignore lint/suspicious/noEmptyInterface: it is filled by the areas
export interface Resources {}

export type ResourceKind = Resources[keyof Resources]

/**
 * The one resource that an address is about. Parts of it count as the resource itself: a run counts as its pipeline.
 */
export interface Resource {
  /** Singular noun: `pipeline`. */
  readonly kind: ResourceKind
  /** The parameters of an address, with the resource they name; null where the address is about no resource. */
  readonly by: string
}

/** Parameters of an address, which tell what it is about; null where that is no resource. */
export interface TellsResource {
  readonly resource: Resource | null
}

type Properties = Readonly<Record<string, TSchema>>
type ParamsOf<P extends Properties> = ReturnType<typeof Type.Object<P>> & TellsResource

export function Params<P extends Properties>(kind: ResourceKind, by: keyof P & string, properties: P): ParamsOf<P> {
  return telling({ kind, by }, properties)
}

/** Parameters of an address that is about no resource. */
export function PlainParams<P extends Properties>(properties: P): ParamsOf<P> {
  return telling(null, properties)
}

/** Attaches the resource as a hidden property, so that it is no part of the schema. */
function telling<P extends Properties>(resource: Resource | null, properties: P): ParamsOf<P> {
  return Object.defineProperty(Type.Object(properties), 'resource', { value: resource }) as ParamsOf<P>
}
