// Once: no database. A service answers that is made after what entries say.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { CursorEntry, Paging } from '../entry.ts'
import { FAULTS, type Fault, type SimulatedStream } from '../testing/simulator.ts'
import { ids, pagings, recordsOf, streamOf, using } from '../testing/world.ts'
import type { JsonRecord } from './records.ts'

describe('reading declared streams', () => {
  for (const paging of pagings) {
    const place = 'in' in paging ? ` in ${paging.in}` : ''
    const next = 'next' in paging ? ` by ${paging.next}` : ''
    it(`goes through pages of the kind ${paging.kind}${place}${next}, whatever goes wrong`, async () => {
      for (const count of [7, 23]) {
        const faults = new Map<number, Fault>(FAULTS.map((fault, at) => [at * 2 + 1, fault]))
        const records = recordsOf(count)
        await using(
          { things: { stream: streamOf(paging), records } },
          { faultOf: (_, number) => faults.get(number), skewMs: 3_600_000 },
          async ({ read }) =>
            assert.deepEqual(
              ids(await read('things')),
              records.map(({ id }) => id)
            )
        )
      }
    })
  }

  it('asks once for each parent, within each other, and goes on among them', async () => {
    const paging: Paging = { kind: 'offset', param: 'skip', size: 2, sizeParam: 'take' }
    const cursor: CursorEntry = { field: 'at', since: { param: 'since' } }
    const streams: Record<string, SimulatedStream> = {
      groups: {
        stream: { path: '/groups/{parent.place}', records: 'data', paging, each: { setting: 'places', as: 'place' } },
        records: [{ id: 'a' }, { id: 'b' }, { id: 'c' }]
      },
      users: {
        stream: {
          path: '/groups/{parent.group}/users',
          records: 'data',
          paging,
          each: { stream: 'groups', as: { group: 'id' } }
        },
        records: ({ url }) => (url.pathname.includes('/b/') ? [] : [{ id: 1 }, { id: 2 }, { id: 3 }])
      },
      posts: {
        stream: {
          path: '/groups/{parent.group}/users/{parent.user}/posts',
          records: 'data',
          paging,
          key: ['group', 'user', 'id'],
          cursor,
          each: { stream: 'users', as: { user: 'id' } }
        },
        records: [1, 2, 3].map((id) => ({ id, at: `2025-07-0${id}T00:00:00Z` }))
      }
    }
    await using(streams, {}, async ({ read }) => {
      const whole = await read('posts')
      const wanted = ['north', 'south'].flatMap((place) =>
        ['a', 'c'].flatMap((group) => [1, 2, 3].flatMap((user) => [1, 2, 3].map((id) => [place, group, user, id])))
      )
      const told = (values: readonly JsonRecord[]) =>
        values.map(({ place, group, user, id }) => [place, group, Number(user), Number(id)])
      assert.deepEqual(told(whole.values), wanted)
      for (const limit of [1, 2, 5, 30]) {
        const seen: JsonRecord[] = []
        let after: string | null = null
        for (;;) {
          const part: { values: JsonRecord[]; position: string | undefined } = await read('posts', {
            cursor: { column: 'at', after },
            limit
          })
          if (part.values.length === 0) break
          seen.push(...part.values)
          after = part.position ?? null
        }
        assert.deepEqual(told(seen), wanted, `${limit} at once`)
      }
    })
  })

  it('says how many parents it has passed over, and goes on', async () => {
    const each = { stream: 'groups', as: { group: 'id' } } as const
    const streams: Record<string, SimulatedStream> = {
      groups: { stream: { path: '/groups', records: 'data' }, records: ['a', 'b', 'c', 4].map((id) => ({ id })) },
      users: { stream: { path: '/groups/{parent.group}/users', records: 'data', each }, records: [{ id: 1 }] }
    }
    const instead = ({ url }: { url: URL }) =>
      /\/[bc]\/users$/.test(url.pathname) ? { status: 404, body: { message: 'gone' } } : undefined
    await using(streams, { instead }, async ({ read }) => {
      const notes: string[] = []
      const { values } = await read('users', { note: (message: string) => notes.push(message) })
      // The last parent is of another type than the first: nothing of it is lost.
      assert.deepEqual(
        values.map(({ group, _rest }) => [group, _rest]),
        [
          ['a', null],
          [null, '{"group":4}']
        ]
      )
      assert.equal(notes.length, 1)
      assert.match(notes[0] ?? '', /^For 2 of those .* \(404\)/)
    })
  })

  it('asks for no more than a condition on what it goes by needs', async () => {
    const stream = { ...streamOf({ kind: 'none' }), cursor: { field: 'at', since: { param: 'since' } } }
    const records = Array.from({ length: 20 }, (_, day) => ({
      id: day + 1,
      at: new Date(Date.UTC(2026, 0, day + 1)).toISOString()
    }))
    await using({ things: { stream, records } }, {}, async ({ read, simulator }) => {
      const where = [{ column: 'at', is: '>=', values: [{ text: '2026-01-10' }] }]
      const found = ids(await read('things', { where }))
      assert.equal(simulator.asked[0]?.url.searchParams.get('since'), '2026-01-09T00:00:00.000Z')
      // More than is wanted may come; nothing of what is wanted is missing.
      assert.deepEqual(found, [9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20])
    })
  })

  it('divides a large page into chunks, and goes on after each of them', async () => {
    const stream = {
      ...streamOf({ kind: 'offset', param: 'skip', size: 7, sizeParam: 'take' }),
      cursor: { field: 'id' }
    }
    const records = recordsOf(16).map((record): JsonRecord => ({ ...record, text: 'x'.repeat(30_000) }))
    await using({ things: { stream, records } }, {}, async ({ read }) => {
      const { chunks } = await read('things', { cursor: { column: 'id', after: null } })
      assert.deepEqual(
        chunks.map(({ rows }) => rows),
        [3, 3, 1, 3, 3, 1, 2]
      )
      let done = 0
      for (const { rows, position } of chunks) {
        done += rows
        const rest = await read('things', { cursor: { column: 'id', after: position } })
        assert.deepEqual(
          ids(rest),
          records.slice(done).map(({ id }) => id)
        )
      }
    })
  })

  it('says that paging does not get on, rather than going on for ever', async () => {
    const same = (paging: Paging, body: object) =>
      using(
        { things: { stream: streamOf(paging), records: [] } },
        { instead: () => ({ status: 200, body }) },
        ({ read }) => assert.rejects(read('things'), { code: 'bad_request', message: /Paging does not get on/ })
      )
    await same({ kind: 'cursor', param: 'after', next: 'answer.next' }, { data: [{ id: 1 }], next: 'x' })
    await same({ kind: 'page', param: 'page' }, { data: [{ id: 1 }] })
    await same({ kind: 'next-url', next: 'answer.next' }, { data: [{ id: 1 }], next: '/things?page=2' })
    let asked = 0
    const round = () => ({ status: 200, body: { data: [{ id: 1 }], next: `t${asked++ % 3}` } })
    await using(
      { things: { stream: streamOf({ kind: 'cursor', param: 'after', next: 'answer.next' }), records: [] } },
      { instead: round },
      ({ read }) => assert.rejects(read('things'), { message: /does not get on/ })
    )
  })

  it('follows no page to another server', async () => {
    const stream = streamOf({ kind: 'next-url', next: 'answer.next' })
    for (const next of [
      'http://other.example.com/things',
      '//127.0.0.2/things',
      'http://user:word@127.0.0.1/',
      'file:///etc/passwd'
    ]) {
      await using(
        { things: { stream, records: [] } },
        { instead: () => ({ status: 200, body: { data: [{ id: 1 }], next } }) },
        ({ read }) => assert.rejects(read('things'), { code: 'refused_by_policy' })
      )
    }
  })

  it('begins a slice anew where the service has forgotten the page', async () => {
    const stream = {
      ...streamOf({ kind: 'cursor', param: 'after', next: 'answer.next', size: 2, sizeParam: 'n' }),
      cursor: { field: 'id' }
    }
    let hasForgotten = false
    const refuse = ({ url }: { url: URL }) =>
      hasForgotten && url.searchParams.has('after') ? { status: 400, body: { message: 'expired' } } : undefined
    await using({ things: { stream, records: recordsOf(6) } }, { instead: refuse }, async ({ read }) => {
      const { position } = await read('things', { cursor: { column: 'id', after: null }, limit: 2 })
      hasForgotten = true
      const rest = read('things', { cursor: { column: 'id', after: position }, limit: 2 })
      assert.deepEqual(ids(await rest), [1, 2])
    })
  })

  it('refuses positions and columns that are none', async () => {
    const stream = { ...streamOf({ kind: 'none' }), cursor: { field: 'at' } }
    await using({ things: { stream, records: [] } }, {}, async ({ read }) => {
      for (const after of [
        '',
        'yes',
        '{',
        '{"lists":1}',
        '{"max":["x"]}',
        '{"max":[1e300,"t"]}',
        '{"end":1,"lists":[[null,null,-1]]}'
      ]) {
        await assert.rejects(read('things', { cursor: { column: 'at', after } }), { code: 'bad_request' }, after)
      }
      await assert.rejects(read('things', { cursor: { column: 'id', after: null } }), { code: 'bad_request' })
      await assert.rejects(read('nothing'), { code: 'not_found' })
    })
  })
})
