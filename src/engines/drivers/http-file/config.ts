import { originText, type Place } from '../../places/index.ts'
import type { SourceFacts } from '../catalogue/facts.ts'
import { caField, FORMAT, secretField } from '../files/config.ts'
import type { FormatName } from '../files/formats/index.ts'
import type { SourceConfig } from '../index.ts'
import type { JsonSchema } from '../schema.ts'

export interface HttpFileSettings {
  readonly urls: readonly string[]
  readonly user: string | undefined
  readonly password: string | undefined
  readonly token: string | undefined
  readonly ca: string | undefined
  readonly format: FormatName
}

export function settingsOf(config: SourceConfig): HttpFileSettings {
  const { urls, user, password, token, ca, format = 'auto' } = config as unknown as HttpFileSettings
  return { urls, user, password, token, ca, format }
}

/** A secret goes to every address of the list, and to no other; who vouches for these belongs to the place. */
export function placesOf(config: SourceConfig): Readonly<Record<string, Place>> {
  const { urls, user = '', ca = '' } = settingsOf(config)
  const origins = [...new Set(urls.map(originText))]
  const place = { urls: origins, ca: [ca] }
  return { password: { ...place, user: [user] }, token: place }
}

export function httpFileSchema({ name }: SourceFacts): JsonSchema {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    title: name,
    required: ['urls'],
    additionalProperties: false,
    properties: {
      urls: {
        type: 'array',
        title: 'Addresses',
        description:
          'Addresses of files, each of which is a stream: https://plant.example/exports/readings.csv. They are shown to whoever sees the connector, so a secret does not belong into them',
        items: {
          type: 'string',
          minLength: 1,
          maxLength: 1000,
          pattern: '^https?://[^\\s@]+$',
          examples: ['https://plant.example/exports/readings.csv']
        },
        minItems: 1,
        maxItems: 100,
        'x-group': 'place'
      },
      user: {
        type: 'string',
        title: 'User',
        description: 'The name to sign in with, where the server asks for name and password',
        minLength: 1,
        maxLength: 500,
        pattern: '^[^:]+$',
        'x-group': 'sign-in'
      },
      password: secretField('Password', 'Where the server asks for name and password. Sealed, and never shown again'),
      token: secretField('Token', 'Sent as `Authorization: Bearer …`. Sealed, and never shown again'),
      ca: caField,
      format: FORMAT
    }
  }
}
