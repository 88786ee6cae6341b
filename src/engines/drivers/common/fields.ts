import type { SourceFacts } from '../catalogue/facts.ts'
import type { FieldSchema, JsonSchema, ValueSchema } from '../schema.ts'

type Text = Partial<ValueSchema> & Pick<ValueSchema, 'title' | 'description'>

export function schemaOf(
  { name }: SourceFacts,
  required: readonly string[],
  properties: Readonly<Record<string, FieldSchema>>
): JsonSchema {
  const $schema = 'https://json-schema.org/draft/2020-12/schema'
  return { $schema, type: 'object', title: name, required, additionalProperties: false, properties }
}

/** A text by which a place is told, such as the name of a database. */
export const placeField = (field: Text): ValueSchema => ({
  type: 'string',
  minLength: 1,
  maxLength: 200,
  'x-group': 'place',
  ...field
})

export const hostField = (example: string): ValueSchema =>
  placeField({
    title: 'Host',
    description: 'Name or address of the server, without a scheme or a path',
    examples: [example],
    maxLength: 253,
    pattern: '^[^\\s/@]+$'
  })

export const portField = (port: number, description = 'Port of the server'): ValueSchema => ({
  ...{ type: 'integer', minimum: 1, maximum: 65_535, 'x-group': 'place' },
  ...{ title: 'Port', description, default: port }
})

export const userField = (more: Partial<ValueSchema> = {}): ValueSchema => ({
  ...{ type: 'string', title: 'User', minLength: 1, maxLength: 500, 'x-group': 'sign-in' },
  description: 'The name to sign in with; one that may only read is enough',
  ...more
})

export const secretField = (field: Text): ValueSchema => ({
  ...{ type: 'string', maxLength: 10_000, writeOnly: true, 'x-group': 'sign-in' },
  ...field
})

export const passwordField = (): ValueSchema =>
  secretField({ title: 'Password', description: 'Sealed, and never shown again' })

export const tlsField = (isDefault: boolean): ValueSchema => ({
  ...{ type: 'boolean', title: 'Encryption', 'x-group': 'encryption', default: isDefault },
  description: 'Whether the connection is encrypted; the certificate has to be valid for the host'
})

export const authorityField = (): ValueSchema => ({
  ...{ type: 'string', title: 'Certificate authority', 'x-group': 'encryption', 'x-multiline': true },
  description: 'The certificate, as PEM, of an authority of your own that has signed that of the server',
  examples: ['-----BEGIN CERTIFICATE-----\n…\n-----END CERTIFICATE-----'],
  maxLength: 100_000
})
