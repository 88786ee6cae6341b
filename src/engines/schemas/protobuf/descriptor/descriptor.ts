// What protobufjs makes of a descriptor, as far as it is used.

export interface FileDescriptor {
  readonly package?: string
  readonly dependency?: readonly string[]
  readonly publicDependency?: readonly number[]
  readonly weakDependency?: readonly number[]
  readonly messageType?: readonly MessageDescriptor[]
  readonly enumType?: readonly EnumDescriptor[]
  readonly service?: readonly ServiceDescriptor[]
  readonly extension?: readonly FieldDescriptor[]
  readonly options?: Options
  readonly syntax?: string
  readonly edition?: string
}

export interface MessageDescriptor {
  readonly name?: string
  readonly field?: readonly FieldDescriptor[]
  readonly extension?: readonly FieldDescriptor[]
  readonly nestedType?: readonly MessageDescriptor[]
  readonly enumType?: readonly EnumDescriptor[]
  readonly extensionRange?: readonly RangeDescriptor[]
  readonly oneofDecl?: readonly { readonly name?: string; readonly options?: Options }[]
  readonly options?: Options
  readonly reservedRange?: readonly RangeDescriptor[]
  readonly reservedName?: readonly string[]
}

export interface FieldDescriptor {
  readonly name?: string
  readonly extendee?: string
  readonly number?: number
  readonly label?: string
  readonly type?: string
  readonly typeName?: string
  readonly defaultValue?: string
  readonly oneofIndex?: number
  readonly jsonName?: string
  readonly options?: Options
  readonly proto3Optional?: boolean
}

export interface RangeDescriptor {
  readonly start?: number
  readonly end?: number
}

export interface EnumDescriptor {
  readonly name?: string
  readonly value?: readonly { readonly name?: string; readonly number?: number; readonly options?: Options }[]
  readonly options?: Options
  readonly reservedRange?: readonly RangeDescriptor[]
  readonly reservedName?: readonly string[]
}

export interface ServiceDescriptor {
  readonly name?: string
  readonly method?: readonly MethodDescriptor[]
  readonly options?: Options
}

export interface MethodDescriptor {
  readonly name?: string
  readonly inputType?: string
  readonly outputType?: string
  readonly clientStreaming?: boolean
  readonly serverStreaming?: boolean
  readonly options?: Options
}

export type Options = Readonly<Record<string, unknown>>
