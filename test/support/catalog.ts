import assert from 'node:assert/strict'
import type { Answer, TestApp } from './app.ts'

/** A source, made for a test; answers its identifier. */
export async function makeSource(test: TestApp, name: string, more: object = {}): Promise<string> {
  const { status, body, text } = await test.call('POST', '/api/catalog/sources', {
    as: 'editor',
    body: { name, ...more }
  })
  assert.equal(status, 201, text)
  return body.id
}

/** Writes line protocol, with times in milliseconds. */
export function writeLines(test: TestApp, bucket: string, lines: string): Promise<Answer> {
  const path = `/api/v2/write?bucket=${encodeURIComponent(bucket)}&precision=ms`
  return test.call('POST', path, { as: 'editor', body: lines, headers: { 'content-type': 'text/plain' } })
}

export function query(test: TestApp, body: object, headers: Record<string, string> = {}): Promise<Answer> {
  return test.call('POST', '/api/catalog/query', { as: 'viewer', body, headers })
}

/** An API key with these scopes, as a program would have it. */
export async function makeKey(test: TestApp, scopes: readonly string[]): Promise<string> {
  const { status, body, text } = await test.call('POST', '/api/api-keys', {
    as: 'editor',
    body: { name: 'a program', scopes }
  })
  assert.equal(status, 201, text)
  return body.key
}
