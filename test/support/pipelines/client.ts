import assert from 'node:assert/strict'

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers freely
type Body = any

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
    const response = await fetch(`${url}/api${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, ...(body !== undefined && { 'content-type': type }) },
      ...(body !== undefined && { body })
    })
    const text = await response.text()
    assert.ok(response.ok, `${method} ${path}: ${response.status} ${text}`)
    return text
  }
  const json = (text: string): Body => (text === '' ? undefined : JSON.parse(text))
  return {
    get: async (path) => json(await call('GET', path)),
    post: async (path, body) => json(await call('POST', path, JSON.stringify(body ?? {}))),
    put: async (path, content, type) => json(await call('PUT', path, content, type)),
    text: (path) => call('GET', path)
  }
}
