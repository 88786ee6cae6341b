import type { Place } from '../../places/index.ts'
import type { SourceFacts } from '../catalogue/facts.ts'
import { placeField, schemaOf, secretField } from '../common/fields.ts'
import { SourceError } from '../errors.ts'
import type { SourceConfig } from '../index.ts'
import type { JsonSchema } from '../schema.ts'

/** The servers of Google, which a configuration has no say in; a test has its own. */
export interface GoogleServers {
  readonly api: Server
  readonly token: Server
}

interface Server {
  readonly host: string
  readonly port: number
  readonly tls: boolean
}

export const GOOGLE: GoogleServers = {
  api: { host: 'bigquery.googleapis.com', port: 443, tls: true },
  token: { host: 'oauth2.googleapis.com', port: 443, tls: true }
}

export interface BigQueryConfig {
  readonly key: string
  readonly project?: string
  readonly dataset: string
}

/** What is used of a key of a service account. */
export interface ServiceAccount {
  readonly email: string
  readonly privateKey: string
  readonly project: string
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

export function accountOf({ key, project }: BigQueryConfig): ServiceAccount {
  const { client_email: email, private_key: privateKey, project_id: own } = parsed(key)
  const named = project ?? own
  if (typeof email !== 'string' || typeof privateKey !== 'string') throw badKey('has no client_email or no private_key')
  if (typeof named !== 'string') throw new SourceError('bad_request', 'The key names no project; give one', '/project')
  return { email, privateKey, project: named }
}

function parsed(key: string): Record<string, unknown> {
  try {
    return Object(JSON.parse(key))
  } catch {
    throw badKey('is no JSON')
  }
}

export const badKey = (why: string) =>
  new SourceError('wrong_credentials', `The key of the service account ${why}; give the file whole`, '/key')
