/** The form of configurations: an object of simple fields, so that a form can be drawn from it. */
export interface JsonSchema {
  readonly $schema: 'https://json-schema.org/draft/2020-12/schema'
  readonly type: 'object'
  readonly title: string
  readonly required: readonly string[]
  readonly additionalProperties: false
  readonly properties: Readonly<Record<string, FieldSchema>>
  /** What is needed only where a field has some value. */
  readonly allOf?: readonly Condition[]
}

interface Condition {
  readonly if: {
    readonly properties: Readonly<Record<string, { readonly enum: readonly string[] }>>
    readonly required?: readonly string[]
  }
  readonly then: { readonly required: readonly string[] }
}

export type FieldSchema = ValueSchema | ListSchema

interface Told {
  readonly title: string
  readonly description: string
  /** What fields belong together: where it is, how to sign in, how it is encrypted, what is read of it. */
  readonly 'x-group': 'place' | 'sign-in' | 'encryption' | 'reading'
}

export interface ValueSchema extends Told {
  readonly type: 'string' | 'integer' | 'number' | 'boolean'
  readonly enum?: readonly string[]
  readonly default?: string | number | boolean
  readonly examples?: readonly (string | number | boolean)[]
  readonly minLength?: number
  readonly maxLength?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly pattern?: string
  readonly format?: 'date' | 'date-time'
  /** Secret: taken, sealed, and never shown again. */
  readonly writeOnly?: true
  /** Text of several lines, such as a key. */
  readonly 'x-multiline'?: true
}

/** A list of texts, or of objects of simple fields. */
export interface ListSchema extends Told {
  readonly type: 'array'
  readonly items: ValueItem | ObjectItem
  readonly default?: readonly string[]
  readonly minItems?: number
  readonly maxItems: number
  readonly writeOnly?: never
}

type ValueItem = Omit<ValueSchema, keyof Told | 'writeOnly'>

interface ObjectItem {
  readonly type: 'object'
  readonly required: readonly string[]
  readonly additionalProperties: false
  readonly properties: Readonly<Record<string, Omit<ValueSchema, 'x-group' | 'writeOnly'>>>
}
