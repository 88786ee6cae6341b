import { rsaKeys } from '../../../../../test/support/rsa-keys.ts'
import type { SourceConfig } from '../../index.ts'
import { streamOf } from '../catalogue/index.ts'
import { settingsSchema } from '../catalogue/settings.ts'
import type { Authentication, Entry, Setting, StreamEntry } from '../entry.ts'
import type { JsonRecord } from '../reading/records.ts'
import { printTime } from '../reading/times.ts'
import { namesIn } from '../template/template.ts'
import type { SimulatedRequest } from './simulated-page.ts'
import type { SimulatedStream } from './simulator.ts'

const COUNT = 3

const streamsOf = (entry: Entry): [string, StreamEntry][] =>
  Object.keys(entry.streams).flatMap((name) => {
    const stream = streamOf(entry, name)
    return stream === undefined ? [] : [[name, stream]]
  })

/** Three records of each stream, with what its key, its cursor, its paging and its children need. */
export function simulatedStreams(entry: Entry): (SimulatedStream & { readonly name: string })[] {
  const streams = streamsOf(entry)
  return streams.map(([name, stream]) => {
    const asked = streams.flatMap(([, { each }]) =>
      each !== undefined && 'stream' in each && each.stream === name ? Object.values(each.as) : []
    )
    return { name, stream, records: Array.from({ length: COUNT }, (_, at) => recordOf(stream, asked, at + 1)) }
  })
}

function recordOf(stream: StreamEntry, asked: readonly string[], number: number): JsonRecord {
  const { key = [], cursor, paging } = stream
  const record: JsonRecord = { number }
  for (const field of typeof key === 'string' ? [key] : key) put(record, field.split('.'), `k${number}`)
  if (cursor !== undefined) {
    const time = printTime(Date.parse(`2025-12-0${number}`), cursor.format)
    put(record, cursor.field.split('.'), /^%(s|ms)$/.test(cursor.format ?? '') ? Number(time) : time)
  }
  const next = paging !== undefined && 'next' in paging ? paging.next : ''
  const [, last] = /^last\.(.+)$/.exec(next) ?? /-1\.(.+)$/.exec(next) ?? []
  if (last !== undefined) put(record, last.split('.'), `k${number}`)
  for (const field of asked) put(record, field.split('.'), `p${number}`)
  return record
}

function put(record: JsonRecord, [name = '', ...rest]: readonly string[], value: unknown): void {
  const members = record as Record<string, unknown>
  if (rest.length === 0) members[name] ??= value
  else {
    if (typeof members[name] !== 'object') members[name] = {}
    put(members[name] as JsonRecord, rest, value)
  }
}

/** Values for all settings; `base` is where the service is in place of its own address. */
export function replayedConfig(entry: Entry, base: string): SourceConfig {
  const config: Record<string, unknown> = {}
  const properties = settingsSchema(entry).properties as Readonly<Record<string, { examples?: readonly unknown[] }>>
  for (const [name, setting] of Object.entries(entry.settings))
    config[name] = valueFor(setting, properties[name]?.examples?.[0])
  for (const name of serviceKeys(entry.authentication)) config[name] = SERVICE_ACCOUNT
  return { ...config, base_url: base }
}

function valueFor({ default: usual, choices, type = 'string' }: Setting, example: unknown): unknown {
  if (usual !== undefined) return usual
  if (choices !== undefined) return type === 'list' ? choices.slice(0, 1) : choices[0]
  switch (type) {
    case 'integer':
    case 'number':
      return 5
    case 'boolean':
      return true
    case 'list':
      return ['a']
    case 'date':
      return '2025-11-01'
    case 'date-time':
      return '2025-11-01T00:00:00Z'
    default:
      return example ?? 'value-of-it'
  }
}

const { privateKey } = rsaKeys('known')
const SERVICE_ACCOUNT = JSON.stringify({
  client_email: 'reader@project.example',
  private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
  private_key_id: '1',
  token_uri: 'https://oauth2.example.com/token'
})

/** The settings that hold a key to sign with. */
function serviceKeys(authentication: Authentication): string[] {
  if (authentication.kind === 'choice') return Object.values(authentication.options).flatMap(serviceKeys)
  return authentication.kind === 'jwt' ? namesIn(authentication.key).map((name) => name.split('.')[0] ?? '') : []
}

/** What comes before paths where the address is a setting and more. */
export const prefixOf = ({ base }: Entry): string =>
  /^\{base_url[^{}]*\}(.*)$/.exec(base)?.[1]?.replace(/\/+$/, '') ?? ''

/** What a service answers to a test of its own; undefined for any other request. */
export const testAnswer = ({ check }: Entry, { url }: SimulatedRequest) =>
  typeof check === 'object' && isAt(check.path, url) ? { status: 200, body: {} } : undefined

/** What a service answers to who signs in; undefined for any other request. */
export function signInAnswer(entry: Entry, { url }: SimulatedRequest) {
  for (const one of allOf(entry.authentication)) {
    if (one.kind === 'session' && isAt(addressIn(entry, one.login.url), url))
      return { status: 200, body: tokenAt(one.token.split('.')) }
    if ((one.kind === 'oauth2' || one.kind === 'jwt') && isAt(addressIn(entry, one.tokenUrl), url))
      return { status: 200, body: { access_token: 'token', token_type: 'bearer', expires_in: 3600 } }
  }
  return undefined
}

const allOf = (authentication: Authentication): Authentication[] =>
  authentication.kind === 'choice' ? Object.values(authentication.options).flatMap(allOf) : [authentication]

const tokenAt = (path: readonly string[]): unknown =>
  path.reduceRight<unknown>((inner, name) => ({ [name]: inner }), 'token')

/** An address that is a setting is what that usually is. */
function addressIn({ settings }: Entry, template: string): string {
  const [, name] = /^\{([\w-]+)\}$/.exec(template) ?? []
  return name === undefined ? template : String(settings[name]?.default ?? '/')
}

/** Whether a path ends as that of a template does. */
function isAt(template: string, url: URL): boolean {
  const path = template
    .replace(/^https?:\/\/[^/]*/, '')
    .replace(/\?.*$/, '')
    .replace(/^\{[^{}]*\}/, '')
  const pattern = path
    .split(/\{[^{}]*\}/)
    .map((part) => RegExp.escape(part))
    .join('[^/]*')
  return new RegExp(`${path === '/' ? '^/' : pattern}/?$`).test(decodeURI(url.pathname))
}
