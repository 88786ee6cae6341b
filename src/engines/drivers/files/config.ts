import type { SourceConfig } from '../index.ts'
import type { FieldSchema, JsonSchema } from '../schema.ts'
import { FORMATS, type FormatName } from './formats/index.ts'
import type { FilesSettings } from './source.ts'

export const FORMAT: FieldSchema = {
  type: 'string',
  title: 'Format',
  description:
    'How records lie in the files. `auto` goes by their names: `.json`, `.ndjson` and `.jsonl` are JSON, `.parquet` is Parquet, all else is CSV with a header',
  enum: FORMATS,
  default: 'auto',
  'x-group': 'reading'
}

/** What of a configuration says which files are read, wherever they are. */
const READING: Readonly<Record<string, FieldSchema>> = {
  files: {
    type: 'array',
    title: 'Files',
    description:
      'Which files to read; each pattern is a stream. `*` stands for any letters of a name, `**` for any folders: `exports/*.csv`, `plant/**/*.parquet`. Files may be packed with gzip',
    items: { type: 'string', minLength: 1, maxLength: 500, pattern: '^[^\\r\\n\\0]+$', examples: ['exports/*.csv'] },
    minItems: 1,
    maxItems: 100,
    'x-group': 'reading'
  },
  format: FORMAT
}

/** The schema of a source of files: how to get there, then which files. */
export function filesSchema(
  title: string,
  place: Readonly<Record<string, FieldSchema>>,
  required: readonly string[]
): JsonSchema {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    title,
    required: [...required, 'files'],
    additionalProperties: false,
    properties: { ...place, ...READING }
  }
}

export function filesSettings(config: SourceConfig): FilesSettings {
  const { files, format = 'auto' } = config as { files: readonly string[]; format?: FormatName }
  return { patterns: files, format }
}

/** Fields of a server with a name and a port. */
export function endpointFields(port: number, host: string): Readonly<Record<'host' | 'port', FieldSchema>> {
  return {
    host: {
      type: 'string',
      title: 'Host',
      description: 'Name or address of the server',
      examples: [host],
      minLength: 1,
      maxLength: 253,
      pattern: '^[^\\s/@]+$',
      'x-group': 'place'
    },
    port: {
      type: 'integer',
      title: 'Port',
      description: 'Port of the server',
      default: port,
      minimum: 1,
      maximum: 65_535,
      'x-group': 'place'
    }
  }
}

/** A field for the name to sign in with. */
export const userField = (description: string, usual?: string): FieldSchema => ({
  type: 'string',
  title: 'User',
  description,
  ...(usual !== undefined && { default: usual }),
  minLength: 1,
  maxLength: 500,
  'x-group': 'sign-in'
})

/** A secret, of one line unless it is a key. */
export const secretField = (title: string, description: string, isMultiline = false): FieldSchema => ({
  type: 'string',
  title,
  description,
  maxLength: 20_000,
  writeOnly: true,
  ...(isMultiline && { 'x-multiline': true as const }),
  'x-group': 'sign-in'
})

export const tlsField = (description: string, isDefault = false): FieldSchema => ({
  type: 'boolean',
  title: 'Encryption',
  description,
  default: isDefault,
  'x-group': 'encryption'
})

/** Who vouches for a server that has its certificate from nobody whom all trust. */
export const caField: FieldSchema = {
  type: 'string',
  title: 'Certificate authority',
  description:
    'Certificates, as PEM, of who vouches for the server, where it is none of those that all trust; begins with -----BEGIN CERTIFICATE-----',
  maxLength: 100_000,
  'x-multiline': true,
  'x-group': 'encryption'
}
