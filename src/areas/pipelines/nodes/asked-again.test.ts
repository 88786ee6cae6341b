import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { DuckDBConnection } from '@duckdb/node-api'
import fc from 'fast-check'
import type { Source, SourceContext } from '../contract/source.ts'
import { recordsSource } from '../records/source.ts'
import { openWorkshop, type Workshop } from '../testing/workshop.ts'
import { generate } from './generate/source.ts'

/** What failed for a moment is asked for again: a source must not have gone on meanwhile. */
describe('a source whose database fails now and then', () => {
  let workshop: Workshop
  let real: DuckDBConnection
  before(async () => {
    workshop = await openWorkshop()
    real = await workshop.instance.connect()
  })
  after(() => workshop.close())

  /** A connection that fails at the statements of these numbers. */
  function failingAt(numbers: ReadonlySet<number>): DuckDBConnection {
    let statements = 0
    return new Proxy(real, {
      get(target, name) {
        const value = Reflect.get(target, name, target)
        if (typeof value !== 'function') return value
        return (...given: unknown[]) => {
          if (['run', 'runAndReadAll', 'createAppender'].includes(String(name)) && numbers.has(statements++)) {
            throw new Error('closed pending query result')
          }
          return value.apply(target, given)
        }
      }
    })
  }

  const contextOf = (config: object, failures: ReadonlySet<number>) =>
    ({
      config,
      database: failingAt(failures),
      schema: 'memory',
      nodeId: `in-${Math.random()}`,
      expectedColumns: [],
      keepsAllColumns: true,
      elapsed: () => 0
    }) as unknown as SourceContext<never>

  async function readAll(source: Source): Promise<number[]> {
    const found: number[] = []
    for (let tries = 0; tries < 100; tries++) {
      const next = await source.next({ waitMs: 1, signal: new AbortController().signal }).catch(() => undefined)
      if (next === 'ended') return found
      if (next === undefined || next === 'idle') continue
      for (const { sql } of next.parts) {
        const reader = await real.runAndReadAll(sql)
        found.push(...reader.getRowObjects().map(({ id }) => Number(id)))
      }
    }
    return assert.fail('it does not end')
  }

  const failures = fc.uniqueArray(fc.nat(9), { maxLength: 4 }).map((numbers) => new Set(numbers))

  it('gives every record once: those at hand', async () => {
    const sizes = fc.array(fc.nat(3), { minLength: 1, maxLength: 4 })
    await fc.assert(
      fc.asyncProperty(sizes, failures, async (batches, at) => {
        let id = 0
        const given = batches.map((size) => Array.from({ length: size }, () => ({ id: id++ })))
        const source = await recordsSource(given)(contextOf({}, at))
        assert.deepEqual(
          await readAll(source),
          Array.from({ length: id }, (_, number) => number)
        )
      }),
      { numRuns: 50 }
    )
  })

  it('gives every record once: those that are made', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 50 }), failures, async (count, at) => {
        const source = await generate.open(contextOf({ fields: { id: 'n' }, count }, at))
        assert.deepEqual(
          await readAll(source),
          Array.from({ length: count }, (_, number) => number)
        )
      }),
      { numRuns: 50 }
    )
  })
})
