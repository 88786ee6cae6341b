// Once: random input to the HTTP layer.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import ajvFormats from 'ajv-formats'
import fc from 'fast-check'
import { addressOf, type Route } from '../../src/http/route.ts'
import { startTestApp, type TestApp } from '../support/app.ts'
import { arbitraryOf } from '../support/hostile-arbitraries.ts'
import type { Schema } from '../support/hostile-bodies.ts'
import { assertHarmless, createHostileClient, type HostileClient } from '../support/hostile-client.ts'
import { tries } from '../support/thorough.ts'

const RUNS = tries(150, 300)

describe('random bodies', () => {
  let test: TestApp
  let client: HostileClient
  let routes: Route[]

  before(async () => {
    test = await startTestApp()
    client = createHostileClient(test.url, await test.token('admin', 'admin'))
    routes = (await test.app.load()).flatMap((area) => area.routes).filter((route) => route.body !== undefined)
  })
  after(async () => {
    client.close()
    await test.close()
  })

  it('are taken where the schema allows them, refused where it does not, and never break anything', async () => {
    const reached = new Set<number>()
    await Promise.all(
      routes.map((route) => {
        const allows = judge(route.body as Schema)
        const path = addressOf(route).replace(':id', 'lvl_public').replace(':subject', 'orders').replace(/:\w+/g, '1')
        const refused = route.foreign === undefined ? [400] : [400, 422]
        const property = fc.asyncProperty(arbitraryOf(route.body as Schema), async (value) => {
          const body = JSON.stringify(value)
          const hit = await client.fire({
            method: route.method,
            path,
            headers: { 'content-type': 'application/json' },
            body
          })
          reached.add(hit.status)
          // Among what is taken are storage providers that are nowhere; a bucket that is to be made there says so.
          if (route.operationId === 'createBucket' && hit.status === 502) {
            assert.equal(JSON.parse(hit.text).code, 'store_failed', hit.text)
            assert.doesNotMatch(hit.text, /\n\s+at |node_modules/, hit.text)
          } else assertHarmless(hit, `${route.operationId} ${body}`)
          if (!allows(JSON.parse(body))) assert.ok(refused.includes(hit.status), `${route.operationId} took ${body}`)
        })
        return fc.assert(property, { numRuns: RUNS })
      })
    )
    // A fuzzer that only ever gets as far as the validation has tried little.
    for (const status of [200, 201, 400, 404, 409]) assert.ok(reached.has(status), `no ${status} among ${[...reached]}`)
    const audit = await client.fire({ method: 'GET', path: '/api/audit/verify' })
    assert.equal(JSON.parse(audit.text).ok, true, audit.text)
  })
})

/** A second opinion on what the schema allows, apart from the server's own compilers. */
function judge(schema: Schema): (value: unknown) => boolean {
  const ajv = new Ajv2020({ strict: false })
  ajvFormats.default(ajv)
  const validate = ajv.compile(schema)
  return (value) => validate(value)
}
