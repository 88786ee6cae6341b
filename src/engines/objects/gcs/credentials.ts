import { createPrivateKey } from 'node:crypto'
import { StoreError } from '../errors.ts'
import type { RemoteSettings } from '../open.ts'

/** A service account, from the settings and nowhere else. */
export interface Credentials {
  readonly email: string
  readonly privateKey: string
  /** The project that new buckets belong to; undefined where neither the key file nor the account's name tells it. */
  readonly projectId: string | undefined
  /** Where tokens come from, if the key file says so. */
  readonly tokenUri: string | undefined
}

type KeyFile = Readonly<Record<'client_email' | 'private_key' | 'project_id' | 'token_uri', unknown>>

/**
 * Undefined where there are none; that is allowed for servers with an endpoint of their own, which may ask for none.
 */
export function readCredentials(settings: RemoteSettings): Credentials | undefined {
  const { accessKey, secretKey, endpoint } = settings
  if (accessKey === '' && secretKey === '') {
    if (endpoint !== undefined) return undefined
    throw new StoreError('unknown_access_key', 'Google Cloud Storage needs a service account: give its JSON key file')
  }
  const file = secretKey.trimStart().startsWith('{') ? readKeyFile(secretKey) : undefined
  const email = file === undefined ? accessKey : textOf(file.client_email)
  if (!email?.includes('@')) {
    throw new StoreError(
      'unknown_access_key',
      file === undefined
        ? 'The access key must be the e-mail address of a service account'
        : 'The key file has no client_email; give the JSON key file of a service account'
    )
  }
  const privateKey = checkedKey(file === undefined ? secretKey : textOf(file.private_key))
  return {
    email,
    privateKey,
    projectId: textOf(file?.project_id) ?? /@([^.]+)\.iam\.gserviceaccount\.com$/.exec(email)?.[1],
    tokenUri: textOf(file?.token_uri)
  }
}

function readKeyFile(text: string): KeyFile {
  try {
    return JSON.parse(text) as KeyFile
  } catch {
    throw new StoreError('wrong_secret', 'The key file is not valid JSON; give the whole file as it was downloaded')
  }
}

function checkedKey(text: string | undefined): string {
  // In a key file line ends are written as `\n`.
  const pem = text?.replaceAll('\\n', '\n') ?? ''
  try {
    if (createPrivateKey(pem).asymmetricKeyType === 'rsa') return pem
  } catch {
    // The original error is dropped: it may quote the key, and what has to be done is always the same.
  }
  throw new StoreError('wrong_secret', 'The private key is not an RSA key in PEM; give the JSON key file or its key')
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}
