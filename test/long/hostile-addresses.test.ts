// Once: what is sent never gets as far as the database that the areas' own suites run on twice.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Route } from '../../src/http/route.ts'
import { BAD_IDS, badCursors, badQueries, encodeCursor, ODD_IDS } from '../support/hostile-addresses.ts'
import type { Schema } from '../support/hostile-bodies.ts'
import { assertHarmless, assertProblem } from '../support/hostile-client.ts'
import {
  bodyOf,
  isRegistry,
  JSON_TYPE,
  openTarget,
  pathOf,
  shotAt,
  sortsOf,
  type Target
} from '../support/hostile-shots.ts'

describe('hostile addresses', () => {
  let target: Target

  before(async () => {
    target = await openTarget()
  })
  after(() => target.close())

  it('refuses query parameters that are unknown, repeated or out of bounds', async () => {
    const shotsAt = (routes: readonly Route[]) =>
      routes.flatMap((route) =>
        badQueries(route).map((query) => ({ ...shotAt(route), path: `${pathOf(route)}?${query}`, label: 'query' }))
      )
    /** Clients of others, and probes of health, send what they send. */
    const takesAny = (route: Route) => isRegistry(pathOf(route)) || route.anyQuery === true
    await target.fireAll(shotsAt(target.routes.filter(takesAny)), assertHarmless)
    const own = shotsAt(target.routes.filter((route) => !takesAny(route)))
    await target.fireAll(own, (hit, where) => {
      const code = assertProblem(hit, where)
      const expected = where.includes('/links/nobody/nobody') ? 'link_refused' : 'invalid_request'
      assert.ok([expected, 'malformed_request'].includes(code), `${where}: ${code}`)
      return code
    })
  })

  it('refuses cursors that it did not make', async () => {
    const lists = target.routes.filter((route) => (route.query as Schema | undefined)?.properties?.cursor !== undefined)
    assert.ok(lists.length > 4)
    const shots = lists.flatMap((route) => {
      const [first = '', second = first] = sortsOf(route)
      return badCursors(first, second).map(([label, cursor]) => ({
        ...shotAt(route),
        path: `${pathOf(route)}?sort=${encodeURIComponent(first)}&cursor=${encodeURIComponent(cursor)}`,
        label
      }))
    })
    await target.fireAll(shots, assertProblem)
    const odd = [
      { k: 1 },
      { k: 'a' },
      { k: -0.5 },
      { k: 1e300 },
      { k: '\ud800' },
      { i: '\ud800' },
      { t: -1 },
      { t: 2 ** 60 },
      { k: '%' }
    ]
    const forged = lists.flatMap((route) => {
      const [sort = ''] = sortsOf(route)
      return odd.map((part) => ({
        ...shotAt(route),
        path: `${pathOf(route)}?sort=${sort}&cursor=${encodeCursor({ s: sort, k: 'a', i: 'a', t: 1, ...part })}`,
        label: JSON.stringify(part)
      }))
    })
    await target.fireAll(forged, assertHarmless)
  })

  it('finds nothing at paths that are no names', async () => {
    const withParams = target.routes.filter((route) => route.params !== undefined)
    const at = (route: Route, id: string) => ({
      ...shotAt(route),
      path: pathOf(route, id),
      headers: JSON_TYPE,
      body: bodyOf(route),
      label: id.slice(0, 30)
    })
    // Anything may be the name of a subject.
    const isNamed = ({ path }: Route) => isRegistry(path)
    await target.fireAll(
      withParams.filter((route) => !isNamed(route)).flatMap((route) => BAD_IDS.map((id) => at(route, id))),
      assertProblem
    )
    const odd = (route: Route) => (isNamed(route) ? [...BAD_IDS, ...ODD_IDS] : ODD_IDS)
    await target.fireAll(
      withParams.flatMap((route) => odd(route).map((id) => at(route, id))),
      assertHarmless
    )
  })

  it('leaves the server as it was', () => target.assertSound())
})
