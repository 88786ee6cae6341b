import type { Place } from '../../places/index.ts'
import type { SourceFacts } from '../catalogue/facts.ts'
import { placeField, schemaOf, secretField } from '../common/fields.ts'
import { accountIn, googleServers, type ServiceAccount } from '../common/google-token.ts'
import { SourceError } from '../errors.ts'
import type { SourceConfig } from '../index.ts'
import type { JsonSchema } from '../schema.ts'

export const GOOGLE = googleServers('bigquery.googleapis.com')

export interface BigQueryConfig {
  readonly key: string
  readonly project?: string
  readonly dataset: string
}

export const configOf = (config: SourceConfig): BigQueryConfig => config as unknown as BigQueryConfig

/** A key goes nowhere: what it signs does, and that to Google only. */
export const placesOf = (): Readonly<Record<string, Place>> => ({ key: { 'host and port': [GOOGLE.token.host] } })

export function bigQuerySchema(source: SourceFacts): JsonSchema {
  return schemaOf(source, ['key', 'dataset'], {
    project: placeField({
      title: 'Project',
      description: 'The project that runs the statements and has the dataset; that of the key unless said',
      examples: ['my-project-123456'],
      pattern: '^[a-z0-9.:-]+$'
    }),
    dataset: placeField({
      title: 'Dataset',
      description: 'The dataset whose tables are read',
      examples: ['plant'],
      pattern: '^[A-Za-z0-9_]+$'
    }),
    key: secretField({
      title: 'Key of a service account',
      description: 'The JSON file that Google gives out for a service account, whole',
      examples: ['{"type": "service_account", "client_email": "…", "private_key": "…"}'],
      maxLength: 20_000,
      'x-multiline': true
    })
  })
}

export function accountOf({ key, project }: BigQueryConfig): ServiceAccount & { readonly project: string } {
  const account = accountIn(key)
  const named = project ?? account.project
  if (named === undefined) throw new SourceError('bad_request', 'The key names no project; give one', '/project')
  return { ...account, project: named }
}
