import type { SourceText } from './cursor.ts'

// What a text says, name by name as it is written. `at` is an offset in the text, or -1 where there is none.

export interface FileNode {
  readonly source: SourceText
  readonly syntax: Syntax
  readonly packageName: string
  readonly packageAt: number
  readonly imports: readonly ImportNode[]
  readonly options: readonly OptionNode[]
  readonly messages: readonly MessageNode[]
  readonly enums: readonly EnumNode[]
  readonly services: readonly ServiceNode[]
  readonly extensions: readonly ExtensionNode[]
}

export type Syntax = 'proto2' | 'proto3' | '2023' | '2024'

export interface ImportNode {
  readonly path: string
  readonly modifier: '' | 'public' | 'weak' | 'option'
  readonly at: number
}

export interface OptionNode {
  /** As written, without spaces; parts in brackets name extensions. */
  readonly name: string
  readonly value: OptionValue
  readonly at: number
}

export type OptionValue =
  /** Bytes, one character each. */
  | { readonly kind: 'string'; readonly value: string }
  /** A name, `true`, or a number spelt the normal way. */
  | { readonly kind: 'plain'; readonly value: string }
  | { readonly kind: 'list'; readonly values: readonly OptionValue[] }
  | { readonly kind: 'fields'; readonly fields: readonly (readonly [name: string, value: OptionValue])[] }

export interface MessageNode {
  readonly name: string
  readonly at: number
  readonly fields: readonly FieldNode[]
  readonly oneofs: readonly OneofNode[]
  readonly messages: readonly MessageNode[]
  readonly enums: readonly EnumNode[]
  readonly extensions: readonly ExtensionNode[]
  readonly extensionRanges: readonly RangeNode[]
  readonly reserved: readonly RangeNode[]
  readonly reservedNames: readonly NameNode[]
  readonly options: readonly OptionNode[]
}

export interface FieldNode {
  readonly name: string
  readonly at: number
  readonly number: number
  readonly numberAt: number
  readonly label: Label | undefined
  readonly type: TypeNode
  readonly oneof: string | undefined
  readonly options: readonly OptionNode[]
}

export type Label = 'optional' | 'required' | 'repeated'

export type TypeNode =
  | { readonly kind: 'named'; readonly name: string; readonly at: number }
  | {
      readonly kind: 'map'
      readonly key: string
      readonly value: string
      readonly at: number
      readonly valueAt: number
    }
  | { readonly kind: 'group'; readonly name: string; readonly at: number }

export interface ExtensionNode {
  readonly extendee: string
  readonly at: number
  readonly field: FieldNode
}

export interface OneofNode {
  readonly name: string
  readonly at: number
  readonly options: readonly OptionNode[]
}

/** Both ends are in it. */
export interface RangeNode {
  readonly from: number
  readonly to: number
  readonly at: number
}

export interface NameNode {
  readonly name: string
  readonly at: number
}

export interface EnumNode {
  readonly name: string
  readonly at: number
  readonly values: readonly EnumValueNode[]
  readonly reserved: readonly RangeNode[]
  readonly reservedNames: readonly NameNode[]
  readonly options: readonly OptionNode[]
}

export interface EnumValueNode {
  readonly name: string
  readonly at: number
  readonly number: number
  readonly options: readonly OptionNode[]
}

export interface ServiceNode {
  readonly name: string
  readonly at: number
  readonly methods: readonly MethodNode[]
  readonly options: readonly OptionNode[]
}

export interface MethodNode {
  readonly name: string
  readonly at: number
  readonly input: MethodTypeNode
  readonly output: MethodTypeNode
  readonly options: readonly OptionNode[]
}

export interface MethodTypeNode {
  readonly name: string
  readonly at: number
  readonly isStream: boolean
}
