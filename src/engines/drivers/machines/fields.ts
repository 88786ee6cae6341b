import type { FieldSchema, JsonSchema, ValueSchema } from '../schema.ts'

/** Fields of configurations that several drivers of machines and metrics have. */
export const hostField = (description: string, example: string): ValueSchema => ({
  type: 'string',
  title: 'Host',
  description,
  examples: [example],
  minLength: 1,
  maxLength: 253,
  pattern: '^[^\\s/@]+$',
  'x-group': 'place'
})

export const portField = (description: string, usual: number): ValueSchema => ({
  type: 'integer',
  title: 'Port',
  description,
  default: usual,
  minimum: 1,
  maximum: 65_535,
  'x-group': 'place'
})

export const userField = (description: string): ValueSchema => ({
  type: 'string',
  title: 'User',
  description,
  examples: ['reader'],
  maxLength: 500,
  'x-group': 'sign-in'
})

export const secretField = (title: string, description: string): ValueSchema => ({
  type: 'string',
  title,
  description: `${description}. Sealed, and never shown again`,
  maxLength: 10_000,
  writeOnly: true,
  'x-group': 'sign-in'
})

export const tlsField = (usual: boolean): ValueSchema => ({
  type: 'boolean',
  title: 'Encryption',
  description: 'Whether the connection is encrypted (HTTPS); the certificate has to be valid for the host',
  default: usual,
  'x-group': 'encryption'
})

export const configSchema = (
  title: string,
  required: readonly string[],
  properties: Readonly<Record<string, FieldSchema>>
): JsonSchema => ({
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  title,
  required,
  additionalProperties: false,
  properties
})
