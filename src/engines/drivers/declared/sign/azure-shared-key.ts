import { createHmac } from 'node:crypto'
import type { Authentication } from '../entry.ts'
import type { Outgoing, Signer } from '../outgoing.ts'
import type { Scope } from '../template/template.ts'
import { fixedSigner } from './fixed.ts'
import type { SignNeeds } from './needs.ts'
import { bodyText, headerOf, withContentType, withHeader } from './request.ts'
import { badKey } from './service-key.ts'
import { headerText, pointerOf, required } from './values.ts'

type SharedKey = Extract<Authentication, { kind: 'azure-shared-key' }>

const VERSION = '2021-12-02'
/** These services sign more than tables do. */
const OF_BLOBS = /\.(?:blob|queue|file|dfs)\./
const SIGNED_HEADERS = ['content-encoding', 'content-language', 'content-length', 'content-md5', 'content-type']
const CONDITIONS = ['if-modified-since', 'if-match', 'if-none-match', 'if-unmodified-since', 'range']

/** The key of a storage account of Azure, as its tables take it, and its blobs, queues and files. */
export const azureSigner = (shared: SharedKey, scope: Scope, { clock }: Pick<SignNeeds, 'clock'>): Signer =>
  fixedSigner((given) => {
    const account = headerText(shared.account, scope)
    const key = Buffer.from(required(shared.key, scope).trim(), 'base64')
    if (key.length === 0) throw badKey('It is no key of a storage account; copy it whole', pointerOf(shared.key))
    const dated = withHeader(withContentType(given), 'x-ms-date', new Date(clock.now()).toUTCString())
    const request = headerOf(dated, 'x-ms-version') === undefined ? withHeader(dated, 'x-ms-version', VERSION) : dated
    const text = OF_BLOBS.test(request.url.hostname) ? blobText(request, account) : tableText(request, account)
    const signature = createHmac('sha256', key).update(text).digest('base64')
    return withHeader(request, 'authorization', `SharedKey ${account}:${signature}`)
  })

function tableText(request: Outgoing, account: string): string {
  const { method, url } = request
  const part = url.searchParams.get('comp')
  const resource = `/${account}${url.pathname}${part === null ? '' : `?comp=${part}`}`
  const signed = ['content-md5', 'content-type', 'x-ms-date'].map((name) => headerOf(request, name) ?? '')
  return [method, ...signed, resource].join('\n')
}

function blobText(request: Outgoing, account: string): string {
  const { method, url, headers, body } = request
  const length = Buffer.byteLength(bodyText(body))
  const signed = SIGNED_HEADERS.map((name) =>
    name === 'content-length' ? (length === 0 ? '' : String(length)) : (headerOf(request, name) ?? '')
  )
  // The date is that of `x-ms-date`, and its own line is empty.
  const conditions = ['', ...CONDITIONS.map((name) => headerOf(request, name) ?? '')]
  const own = Object.entries(headers)
    .map(([name, value]) => [name.toLowerCase(), value.trim()] as const)
    .filter(([name]) => name.startsWith('x-ms-'))
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `${name}:${value}`)
  return [method, ...signed, ...conditions, ...own, `/${account}${url.pathname}${parametersOf(url)}`].join('\n')
}

function parametersOf({ searchParams }: URL): string {
  const values = new Map<string, string[]>()
  for (const [name, value] of searchParams) {
    const key = name.toLowerCase()
    values.set(key, [...(values.get(key) ?? []), value])
  }
  return [...values]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, all]) => `\n${name}:${all.sort().join(',')}`)
    .join('')
}
