import { SchemaFault } from '../fault.ts'
import type { Label, OptionValue, Syntax } from './syntax/nodes.ts'

export type { Label, OptionValue, Syntax }

/** A schema with everything it imports; types know each other by their full names. */
export interface ProtobufModel {
  readonly file: FileModel
  readonly types: ReadonlyMap<string, MessageModel | EnumModel>
}

export interface FileModel {
  readonly syntax: Syntax
  readonly packageName: string
  readonly imports: readonly ImportModel[]
  readonly options: readonly Option[]
  /** In the order of the text: which one is first has a meaning. */
  readonly messages: readonly MessageModel[]
  readonly enums: readonly EnumModel[]
  readonly services: readonly ServiceModel[]
  readonly extensions: readonly FieldModel[]
}

export interface ImportModel {
  readonly path: string
  readonly modifier: '' | 'public' | 'weak' | 'option'
}

export interface Option {
  readonly name: string
  readonly value: OptionValue
}

export interface MessageModel {
  readonly kind: 'message'
  readonly name: string
  readonly fullName: string
  /** The full name without the package. */
  readonly localName: string
  /** By number. */
  readonly fields: ReadonlyMap<number, FieldModel>
  readonly oneofs: readonly OneofModel[]
  readonly messages: readonly MessageModel[]
  readonly enums: readonly EnumModel[]
  readonly extensions: readonly FieldModel[]
  readonly extensionRanges: readonly Range[]
  readonly reserved: readonly Range[]
  readonly reservedNames: readonly string[]
  readonly options: readonly Option[]
}

/** Both ends are in it. */
export interface Range {
  readonly from: number
  readonly to: number
}

export interface OneofModel {
  readonly name: string
  readonly numbers: readonly number[]
  readonly options: readonly Option[]
}

export interface FieldModel {
  readonly name: string
  readonly jsonName: string
  readonly number: number
  /** As it was written; an edition says the same with a feature. */
  readonly label: Label | undefined
  readonly type: FieldType
  readonly oneof: string | undefined
  /** Whether an absent value is told from the default. Lists and maps have none. */
  readonly hasPresence: boolean
  readonly isPacked: boolean
  /** A message between tags rather than behind its length, as groups are. */
  readonly isDelimited: boolean
  /** Bytes for strings and bytes, as `OptionValue` has them. */
  readonly defaultValue: string | undefined
  /** Full name of the message that an extension is for. */
  readonly extendee: string | undefined
  readonly options: readonly Option[]
}

export type FieldType = ValueType | { readonly kind: 'map'; readonly key: Scalar; readonly value: ValueType }

export type ValueType =
  | { readonly kind: 'scalar'; readonly name: Scalar }
  | { readonly kind: 'enum'; readonly name: string }
  | { readonly kind: 'message'; readonly name: string }

export const SCALARS = [
  'double',
  'float',
  'int32',
  'int64',
  'uint32',
  'uint64',
  'sint32',
  'sint64',
  'fixed32',
  'fixed64',
  'sfixed32',
  'sfixed64',
  'bool',
  'string',
  'bytes'
] as const
export type Scalar = (typeof SCALARS)[number]

const SCALAR_NAMES: ReadonlySet<string> = new Set(SCALARS)
export function isScalar(name: string): name is Scalar {
  return SCALAR_NAMES.has(name)
}

export interface EnumModel {
  readonly kind: 'enum'
  readonly name: string
  readonly fullName: string
  readonly localName: string
  /** In the order of the text: the first one is the default. */
  readonly values: readonly EnumValueModel[]
  /** Whether readers keep numbers that it does not name. */
  readonly isOpen: boolean
  readonly reserved: readonly Range[]
  readonly reservedNames: readonly string[]
  readonly options: readonly Option[]
}

export interface EnumValueModel {
  readonly name: string
  readonly number: number
  readonly options: readonly Option[]
}

export interface ServiceModel {
  readonly name: string
  readonly methods: readonly MethodModel[]
  readonly options: readonly Option[]
}

export interface MethodModel {
  readonly name: string
  readonly input: string
  readonly output: string
  readonly isInputStream: boolean
  readonly isOutputStream: boolean
  readonly options: readonly Option[]
}

/** The message that data of a schema are: its first one, as in other tools where no message is named. */
export function rootMessage({ file }: ProtobufModel): MessageModel {
  const first = file.messages[0]
  if (first === undefined) {
    throw new SchemaFault('unsupported', 'The schema has no message, so there are no data of it; add a message')
  }
  return first
}
