import assert from 'node:assert/strict'
import { addressOf, type Route } from '../../src/http/route.ts'
import { startTestApp } from './app.ts'
import { exampleOf, type Schema } from './hostile-bodies.ts'
import { type assertHarmless, assertProblem, createHostileClient, type Hit, type Shot } from './hostile-client.ts'

export const JSON_TYPE = { 'content-type': 'application/json' }
export const MAX_BODY_BYTES = 1024 * 1024

/** A platform with all its operations, and a hostile client. */
export async function openTarget() {
  const test = await startTestApp()
  const client = createHostileClient(test.url, await test.token('admin', 'admin'))
  const routes = (await test.app.load()).flatMap((area) => area.routes)

  /** Fires all at once; the client keeps the number of connections within bounds. */
  async function fireAll(
    shots: readonly (Shot & { label: string })[],
    check: typeof assertProblem | typeof assertHarmless
  ) {
    await Promise.all(
      shots.map(async (shot) =>
        check(await client.fire(shot), `${shot.method} ${shot.path.slice(0, 80)} ${shot.label}`)
      )
    )
  }

  /** Checks that the server still works after all that was sent. */
  async function assertSound(): Promise<void> {
    const health = await client.fire({ method: 'GET', path: '/api/health' })
    assert.equal(JSON.parse(health.text).status, 'ok')
    const body = '{"name":"after all that"}'
    const key = await client.fire({ method: 'POST', path: '/api/api-keys', headers: JSON_TYPE, body })
    assert.equal(key.status, 201)
    const audit = await client.fire({ method: 'GET', path: '/api/audit/verify' })
    assert.equal(JSON.parse(audit.text).ok, true, audit.text)
  }

  return {
    test,
    client,
    routes,
    withBody: routes.filter((route) => route.body !== undefined),
    guarded: routes.filter((route) => route.permission !== 'public'),
    fireAll,
    assertSound,
    async close() {
      client.close()
      await test.close()
    }
  }
}

export type Target = Awaited<ReturnType<typeof openTarget>>

export const isRegistry = (text: string) => text.includes('/schema-registry/')

/** Numeric parameters: with anything else the path does not exist, and the rest is not checked. */
const NUMBERS = ['number', 'version', 'v1', 'v2']

export function pathOf(route: Pick<Route, 'path' | 'foreign'>, id = 'nobody'): string {
  return addressOf(route).replace(/:(\w+)/g, (_, name) => (NUMBERS.includes(name) ? '1' : id))
}

export function shotAt(route: Route): Shot {
  return { method: route.method, path: pathOf(route) }
}

/** A body that the schema allows. */
export function bodyOf(route: Route): string | undefined {
  return route.body === undefined ? undefined : JSON.stringify(exampleOf(route.body as Schema))
}

export function sortsOf(route: Route): string[] {
  return ((route.query as Schema).properties?.sort?.enum ?? []) as string[]
}

/** Asserts the refusal of a body that is wrong for every operation. */
export function assertRefused(hit: Hit, route: Route, label: string): void {
  const code = assertProblem(hit, `${route.operationId} ${label}`)
  // Operations for clients of other products ignore unknown fields.
  if (route.foreign !== undefined) return
  const tooLarge = route.tooLarge ?? 'payload_too_large'
  assert.ok(['malformed_json', 'invalid_request', tooLarge].includes(code), `${label}: ${code}`)
}
