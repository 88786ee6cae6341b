import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Query, Series } from '../../../engines/series/index.ts'
import { readPoints } from './points.ts'
import { MAX_ROWS } from './schema.ts'
import { spanOf } from './time-span.ts'

describe('points of a panel', () => {
  const asked: Query[] = []
  const points = (count: number) => Array.from({ length: count }, (_, at) => ({ time: `t${at}`, value: at }))
  /** Answers three points of each tag, however few are asked for. */
  const series = {
    async query(query: Query) {
      asked.push(query)
      const answer = { series: (query.tags ?? []).map((tag) => ({ tag, unit: null, points: points(3) })), stats: {} }
      return { body: [Buffer.from(JSON.stringify(answer))] }
    }
  } as unknown as Series
  const needs = {
    maxQueryPoints: 1_000_000,
    series: async () => series,
    sourceExists: async () => true,
    units: async () => ({})
  }
  const question = {
    kind: 'points',
    sourceId: 'src_1',
    tags: ['a', 'b', 'c'].map((text) => ({ text, isPattern: false })),
    aggregation: undefined,
    function: 'avg',
    fill: 'none',
    timeZone: 'UTC',
    maxPoints: 1000
  } as const
  const span = spanOf({ from: '2026-01-01T00:00:00Z', to: '2026-01-02T00:00:00Z' }, 0)
  const read = async (maxRows: number) => {
    const { frames, truncated } = await readPoints(needs, question, span, maxRows, new AbortController().signal)
    return [frames.map(({ values }) => values.map(({ length }) => length)), truncated, asked.at(-1)?.maxPoints]
  }

  it('are as many as the picture has', async () => {
    const all = [3, 3]
    assert.deepEqual(await read(MAX_ROWS), [[all, all, all], false, 1000])
  })

  it('are no more rows of all tags together than somebody allows', async () => {
    assert.deepEqual(await read(300), [
      [
        [3, 3],
        [3, 3],
        [3, 3]
      ],
      false,
      100
    ])
    assert.deepEqual(await read(5), [
      [
        [3, 3],
        [2, 2]
      ],
      true,
      3
    ])
    assert.deepEqual(await read(1), [[[1, 1]], true, 3])
  })
})
