import { endpointText, type Place } from '../../places/index.ts'
import type { SourceFacts } from '../catalogue/facts.ts'
import { endpointFields, filesSchema, secretField, userField } from '../files/config.ts'
import type { SourceConfig } from '../index.ts'
import type { JsonSchema } from '../schema.ts'

export interface SftpSettings {
  readonly host: string
  readonly port: number
  readonly user: string
  readonly password: string | undefined
  readonly privateKey: string | undefined
  readonly passphrase: string | undefined
  /** Without the letters that fill it up. */
  readonly hostKey: string | undefined
}

const PORT = 22

export function settingsOf(config: SourceConfig): SftpSettings {
  const given = config as { readonly [name in keyof SftpSettings]?: string }
  return {
    host: given.host ?? '',
    port: Number(given.port ?? PORT),
    user: given.user ?? '',
    password: given.password,
    privateKey: given.privateKey,
    passphrase: given.passphrase,
    hostKey: given.hostKey?.replace(/=+$/, '')
  }
}

/** The key of the server belongs to the place: whoever has another one is another server. */
export function placesOf(config: SourceConfig): Readonly<Record<string, Place>> {
  const { host, port, user, hostKey = '' } = settingsOf(config)
  const place: Place = { 'host and port': [endpointText(host, port)], user: [user], 'host key': [hostKey] }
  return { password: place, privateKey: place, passphrase: place }
}

export function sftpSchema({ name }: SourceFacts): JsonSchema {
  return filesSchema(
    name,
    {
      ...endpointFields(PORT, 'files.plant.example'),
      user: userField('The name to sign in with; one that may only read is enough'),
      password: secretField('Password', 'Where no key is given. Sealed, and never shown again'),
      privateKey: secretField(
        'Private key',
        'A private key as a file has it, in the form of OpenSSH or as PEM. Sealed, and never shown again',
        true
      ),
      passphrase: secretField('Passphrase', 'What the private key is encrypted with, if it is'),
      hostKey: {
        type: 'string',
        title: 'Host key',
        description:
          'Fingerprint of the key of the server, which nobody else has. Leave it out once: the test then tells the one it saw, to be compared with what the server says of itself (ssh-keygen -lf /etc/ssh/ssh_host_ed25519_key.pub)',
        examples: ['SHA256:uNiVztksCsDhcc0u9e8BrrJtnjn9KGWcGPz2ziV2oEE'],
        pattern: '^SHA256:[A-Za-z0-9+/]{43}=?$',
        'x-group': 'encryption'
      }
    },
    ['host', 'user']
  )
}
