import assert from 'node:assert/strict'
import { setTimeout as delay } from 'node:timers/promises'

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers freely
type Body = any

/** Where a server is so busy that it asks to be called later, it is called later, so often at most. */
const CALLS = 30

/** Calls that are expected to work. */
export interface Client {
  get(path: string): Promise<Body>
  post(path: string, body?: unknown): Promise<Body>
  put(path: string, content: string | Buffer, type: string): Promise<Body>
  text(path: string): Promise<string>
}

export function clientOf(url: string, token: string): Client {
  async function call(
    method: string,
    path: string,
    body?: string | Buffer,
    type = 'application/json'
  ): Promise<string> {
    for (let calls = 1; ; calls++) {
      const response = await fetch(`${url}/api${path}`, {
        method,
        headers: { authorization: `Bearer ${token}`, ...(body !== undefined && { 'content-type': type }) },
        ...(body !== undefined && { body })
      })
      const text = await response.text()
      const laterS = Number(response.headers.get('retry-after') ?? Number.NaN)
      if (response.status !== 503 || Number.isNaN(laterS) || calls === CALLS) {
        assert.ok(response.ok, `${method} ${path}: ${response.status} ${text}`)
        return text
      }
      await delay(laterS * 1000) // as the answer asks for
    }
  }
  const json = (text: string): Body => (text === '' ? undefined : JSON.parse(text))
  return {
    get: async (path) => json(await call('GET', path)),
    post: async (path, body) => json(await call('POST', path, JSON.stringify(body ?? {}))),
    put: async (path, content, type) => json(await call('PUT', path, content, type)),
    text: (path) => call('GET', path)
  }
}
