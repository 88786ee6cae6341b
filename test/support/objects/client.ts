import { setTimeout as delay } from 'node:timers/promises'
import type { Role } from '../../../src/engines/identity/index.ts'
import type { TestApp } from '../app.ts'

const RETRIES = 60
const RETRY_MS = 250

export type Content = NonNullable<RequestInit['body']>
export type FormPart = readonly [name: string, content: string | Buffer, fileName?: string]

export interface SendOptions {
  /** `null`: no token. */
  readonly as?: Role | null
  /** A function where the content can be read only once. */
  readonly body?: Content | (() => Content) | undefined
  readonly headers?: Record<string, string>
}

export interface Received {
  readonly status: number
  readonly headers: Headers
  readonly bytes: Buffer
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers freely
  readonly body: any
}

/**
 * Like `TestApp.call`, for content of any kind in both directions. Requests are repeated where the server says it is
 * overloaded: here it shares its event loop with its clients.
 */
export async function send(test: TestApp, method: string, path: string, options: SendOptions = {}): Promise<Received> {
  for (let left = RETRIES; ; left--) {
    const answer = await sendOnce(test, method, path, options)
    const canRepeat = !(options.body instanceof ReadableStream)
    if (answer.status !== 503 || !canRepeat || left === 0) return answer
    await delay(RETRY_MS)
  }
}

async function sendOnce(
  test: TestApp,
  method: string,
  path: string,
  { as = 'editor', body, headers = {} }: SendOptions
): Promise<Received> {
  const token = as === null ? undefined : await tokenOf(test, as)
  const response = await fetch(path.startsWith('http') ? path : test.url + path, {
    method,
    headers: { ...(token !== undefined && { authorization: `Bearer ${token}` }), ...headers },
    ...(body !== undefined && { body: typeof body === 'function' ? body() : body, duplex: 'half' })
  } as RequestInit)
  const bytes = Buffer.from(await response.arrayBuffer())
  const isJson = /^application\/(problem\+)?json/.test(response.headers.get('content-type') ?? '') && bytes.length > 0
  return {
    status: response.status,
    headers: response.headers,
    bytes,
    body: isJson ? JSON.parse(bytes.toString()) : undefined
  }
}

const TOKEN_USED_MS = 1800_000
const tokens = new WeakMap<TestApp, Map<Role, { untilMs: number; token: Promise<string> }>>()

/** One token per role, and a new one where the clock was moved past its end. */
export function tokenOf(test: TestApp, role: Role): Promise<string> {
  const known = tokens.get(test) ?? new Map<Role, { untilMs: number; token: Promise<string> }>()
  tokens.set(test, known)
  const nowMs = test.platform.clock.now()
  const kept = known.get(role)
  if (kept !== undefined && nowMs < kept.untilMs) return kept.token
  const token = test.token(role, role)
  known.set(role, { untilMs: nowMs + TOKEN_USED_MS, token })
  return token
}

export function objectPath(bucket: string, key: string): string {
  return `/api/buckets/${bucket}/objects/${encodeURIComponent(key)}`
}

export const put = (
  test: TestApp,
  bucket: string,
  key: string,
  body: SendOptions['body'],
  headers: Record<string, string> = {}
) => send(test, 'PUT', objectPath(bucket, key), { body, headers })

export const get = (test: TestApp, bucket: string, key: string, headers: Record<string, string> = {}) =>
  send(test, 'GET', objectPath(bucket, key), { as: 'viewer', headers })

export async function makeBucket(test: TestApp, name: string, more: object = {}): Promise<string> {
  const { status, bytes } = await send(test, 'POST', '/api/buckets', {
    body: JSON.stringify({ name, ...more }),
    headers: { 'content-type': 'application/json' }
  })
  if (status !== 201) throw new Error(`no bucket ${name}: ${bytes}`)
  return name
}

/** A form with its parts in order; a part with a file name is a file. */
export function form(...parts: readonly FormPart[]): FormData {
  const data = new FormData()
  for (const [name, content, fileName] of parts) {
    if (fileName === undefined) data.append(name, String(content))
    else data.append(name, new Blob([content as Buffer<ArrayBuffer>]), fileName)
  }
  return data
}

export const postForm = (test: TestApp, bucket: string, body: FormData, headers: Record<string, string> = {}) =>
  send(test, 'POST', `/api/buckets/${bucket}/objects`, { body, headers })

export async function namesIn(test: TestApp, bucket: string, query = 'recursive=true&limit=1000'): Promise<string[]> {
  const { body } = await send(test, 'GET', `/api/buckets/${bucket}/objects?${query}`, { as: 'viewer' })
  return body.objects.map(({ name }: { name: string }) => name)
}
