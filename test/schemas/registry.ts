import assert from 'node:assert/strict'
import type { Role } from '../../src/engines/identity/index.ts'
import { type Answer, startTestApp, type TestApp } from '../support/app.ts'

export const V1_JSON = 'application/vnd.schemaregistry.v1+json'

export interface Registry {
  readonly test: TestApp
  readonly url: string
  /** As an editor unless somebody else is named, in the media type of the registry. */
  call(method: string, path: string, body?: unknown, as?: Role): Promise<Answer>
  /** The answer of what succeeds. */
  ok(method: string, path: string, body?: unknown, as?: Role): Promise<Answer['body']>
  /** Status and number of what is refused; a refusal has these two members and no other. */
  refused(method: string, path: string, body?: unknown, as?: Role): Promise<[status: number, errorCode: number]>
  register(subject: string, schema: unknown, more?: object): Promise<number>
}

export async function startRegistry(): Promise<Registry> {
  const test = await startTestApp()
  const call: Registry['call'] = (method, path, body, as = 'editor') =>
    test.call(method, `/schema-registry${path}`, { as, body, headers: { 'content-type': V1_JSON } })

  const ok: Registry['ok'] = async (method, path, body, as) => {
    const answer = await call(method, path, body, as)
    assert.equal(answer.status, 200, `${method} ${path}: ${answer.text}`)
    assert.equal(answer.headers.get('content-type'), V1_JSON, path)
    return answer.body
  }

  const refused: Registry['refused'] = async (method, path, body, as) => {
    const answer = await call(method, path, body, as)
    assert.equal(answer.headers.get('content-type'), V1_JSON, path)
    assert.deepEqual(Object.keys(answer.body ?? {}), ['error_code', 'message'], `${path}: ${answer.text}`)
    assert.ok(answer.body.message.length > 10, answer.text)
    return [answer.status, answer.body.error_code]
  }

  return {
    test,
    url: `${test.url}/schema-registry`,
    call,
    ok,
    refused,
    async register(subject, schema, more = {}) {
      const text = typeof schema === 'string' ? schema : JSON.stringify(schema)
      const path = `/subjects/${encodeURIComponent(subject)}/versions`
      return (await ok('POST', path, { schema: text, ...more })).id
    }
  }
}

/** An Avro record of that name with a field of type `int` for each name; those with a `?` may be left out. */
export function record(name: string, ...fields: string[]) {
  return {
    type: 'record',
    name,
    fields: fields.map((field) =>
      field.endsWith('?') ? { name: field.slice(0, -1), type: 'int', default: 0 } : { name: field, type: 'int' }
    )
  }
}
