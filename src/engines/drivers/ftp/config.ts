import { endpointText, type Place } from '../../places/index.ts'
import type { SourceFacts } from '../catalogue/facts.ts'
import { caField, endpointFields, filesSchema, secretField, tlsField, userField } from '../files/config.ts'
import type { SourceConfig } from '../index.ts'
import type { JsonSchema } from '../schema.ts'

export interface FtpSettings {
  readonly host: string
  readonly port: number
  readonly user: string
  readonly password: string
  readonly tls: boolean
  readonly ca: string | undefined
}

const PORT = 21

export function settingsOf(config: SourceConfig): FtpSettings {
  const given = config as Partial<FtpSettings>
  return {
    host: given.host ?? '',
    port: given.port ?? PORT,
    user: given.user ?? 'anonymous',
    password: given.password ?? '',
    tls: given.tls ?? false,
    ca: given.ca
  }
}

/** Who vouches for the server belongs to the place: whoever has the certificate of another is another server. */
export function placesOf(config: SourceConfig): Readonly<Record<string, Place>> {
  const { host, port, user, tls, ca = '' } = settingsOf(config)
  return { password: { 'host and port': [endpointText(host, port)], user: [user], tls: [String(tls)], ca: [ca] } }
}

export function ftpSchema({ name }: SourceFacts): JsonSchema {
  return filesSchema(
    name,
    {
      ...endpointFields(PORT, 'ftp.plant.example'),
      user: userField('The name to sign in with; one that may only read is enough', 'anonymous'),
      password: secretField('Password', 'Sealed, and never shown again'),
      tls: tlsField(
        'Whether the connection is encrypted (FTPS, by AUTH TLS). Without it, password and files can be read on the way'
      ),
      ca: caField
    },
    ['host']
  )
}
