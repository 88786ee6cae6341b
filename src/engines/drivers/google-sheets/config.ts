import type { Place } from '../../places/index.ts'
import type { SourceFacts } from '../catalogue/facts.ts'
import { placeField, schemaOf, secretField } from '../common/fields.ts'
import { googleServers } from '../common/google-token.ts'
import type { SourceConfig } from '../index.ts'
import type { JsonSchema } from '../schema.ts'

export const GOOGLE_SHEETS = googleServers('sheets.googleapis.com')

export interface SheetsConfig {
  /** The id of the spreadsheet. */
  readonly spreadsheet: string
  readonly key: string | undefined
  readonly apiKey: string | undefined
}

export function configOf(given: SourceConfig): SheetsConfig {
  const { spreadsheet, key, apiKey } = given as unknown as SheetsConfig
  const [, id = spreadsheet] = /\/spreadsheets\/d\/([^/]+)/.exec(spreadsheet) ?? []
  return { spreadsheet: id, key: key || undefined, apiKey: apiKey || undefined }
}

/** What the key signs goes to Google only, and so does the other one. */
export const placesOf = (): Readonly<Record<string, Place>> => ({
  key: { 'host and port': [GOOGLE_SHEETS.token.host] },
  apiKey: { 'host and port': [GOOGLE_SHEETS.api.host] }
})

export function sheetsSchema(source: SourceFacts): JsonSchema {
  return schemaOf(source, ['spreadsheet'], {
    spreadsheet: placeField({
      title: 'Spreadsheet',
      description: 'Its address as the browser shows it, or the id in that',
      examples: ['https://docs.google.com/spreadsheets/d/1BxiMVs0XRA5nFMdKvBdBZjgmUUqptlbs74OgvE2upms/edit'],
      maxLength: 500,
      pattern: '^(https://docs\\.google\\.com/spreadsheets/d/[A-Za-z0-9_-]+(/.*)?|[A-Za-z0-9_-]+)$'
    }),
    key: secretField({
      title: 'Key of a service account',
      description: 'The JSON file that Google gives out for a service account, whole. Sealed, and never shown again',
      maxLength: 20_000,
      'x-multiline': true
    }),
    apiKey: secretField({
      title: 'API key',
      description:
        'In place of a service account, for what everybody may see who has the link. Sealed, and never shown again',
      maxLength: 500
    })
  })
}
