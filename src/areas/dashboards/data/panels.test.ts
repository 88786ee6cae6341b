import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { ManualClock } from '../../../../test/support/manual-clock.ts'
import type { Mask } from '../../../data/mask.ts'
import { Problem } from '../../../errors.ts'
import type { Content, Panel, Variable } from '../model/schema.ts'
import { Panels } from './panels.ts'
import type { Question } from './question.ts'
import type { Reading, Sight } from './reader.ts'
import type { PanelDataRequest } from './schema.ts'
import { Variables } from './variables.ts'
import type { Viewer } from './viewer.ts'

const panel = (id: string, more: Partial<Panel> = {}): Panel => ({
  ...{ id, title: id, type: 'table', position: { x: 0, y: 0, w: 6, h: 4 } },
  query: { reference: 'object://b/k.csv', sql: `SELECT '${id}', $line` },
  ...more
})

const lines: Variable = {
  name: 'line',
  type: 'list',
  multiple: true,
  values: ['1', '2', '3'].map((value) => ({ value }))
}

const content = (panels: Panel[], more: Partial<Content> = {}): Content => ({
  ...{ name: 'x', description: '', folder: '', tags: [], links: [], timeZone: 'UTC' },
  ...{ timeRange: { from: '-1h', to: 'now' }, refreshSeconds: 5, variables: [lines], panels },
  ...more
})

const seeing = (mask?: Mask, more: Partial<Viewer> = {}): Viewer => ({
  requireRead() {},
  requireLineage() {},
  requireTags: async () => {},
  masksFor: async () => new Map(mask === undefined ? [] : [['input', mask]]),
  ...more
})

/** Panels whose reader tells what it was asked, and by which sight. */
function world(answer: (question: Question, sight: Sight) => Partial<Reading> = () => ({})) {
  const clock = new ManualClock()
  const log = { error() {} }
  const asked: Question[] = []
  const read = async (question: Question, sight: Sight): Promise<Reading> => {
    asked.push(question)
    const frame = { name: JSON.stringify([...sight.masks]), labels: {}, columns: [], values: [] }
    const plain = { from: '', to: '', frames: [frame], reduced: null, truncated: false, masked: [], tags: [] }
    return { ...plain, ...answer(question, sight) }
  }
  const rows = async () => {
    throw new Problem('unprocessable', { detail: 'no rows' })
  }
  const variables = new Variables({ clock, log, reader: { rows } })
  const panels = new Panels({ clock, log, reader: { read }, variables })
  const look = async (shown: Content, viewer = seeing(), request: PanelDataRequest = {}, ids?: string[]) => {
    const { signal } = new AbortController()
    const answers = await panels.read(viewer, { id: 'd', version: 1, content: shown }, request, ids, signal)
    return answers.map((one) => panels.dataOf(one))
  }
  return { clock, asked, look }
}

describe('panels', () => {
  it('are read once for a thousand viewers, and again after their refresh', async () => {
    const { clock, asked, look } = world()
    const dashboard = content(Array.from({ length: 12 }, (_, n) => panel(`p${n}`)))
    await Promise.all(Array.from({ length: 1000 }, () => look(dashboard)))
    assert.equal(asked.length, 12)
    clock.advance(3000)
    const [first] = await look(dashboard)
    assert.deepEqual([first?.ageMs, asked.length], [3000, 12])
    assert.equal(first?.readAt, '2026-01-01T00:00:00.000Z')
    clock.advance(2000)
    assert.equal((await look(dashboard))[0]?.ageMs, 5000)
    assert.equal((await look(dashboard))[0]?.ageMs, 0)
    assert.equal(asked.length, 24)
  })

  it('have a refresh of their own; where there is none, nothing is kept', async () => {
    const { asked, look } = world()
    const dashboard = content([panel('a', { refreshSeconds: null }), panel('b')])
    for (let times = 0; times < 3; times++) await look(dashboard)
    assert.deepEqual(asked.length, 3 + 1)
  })

  it('never show anybody what only others may see', async () => {
    const masks = fc.constantFrom<Mask | undefined>(undefined, 'all', ['name'], ['name', 'email'])
    await fc.assert(
      fc.asyncProperty(fc.array(masks, { minLength: 2, maxLength: 12 }), async (viewers) => {
        const { look, asked } = world()
        const dashboard = content([panel('a')])
        const seen = await Promise.all(viewers.map((mask) => look(dashboard, seeing(mask))))
        for (const [at, [data]] of seen.entries()) {
          const mask = viewers[at]
          assert.equal(data?.frames[0]?.name, JSON.stringify(mask === undefined ? [] : [['input', mask]]))
        }
        assert.equal(asked.length, new Set(viewers.map((mask) => JSON.stringify(mask))).size)
      }),
      { numRuns: 30 }
    )
  })

  it('ask each viewer about the tags that a pattern has found, also where the answer is kept', async () => {
    const { asked, look } = world(() => ({ tags: ['open', 'secret'] }))
    const dashboard = content([panel('a', { type: 'line', query: { sourceId: 'src', tags: ['*'] } })])
    const requireTags: Viewer['requireTags'] = async (_source, tags = []) => {
      if (tags.includes('secret')) throw new Problem('above_clearance')
    }
    const [all, some] = await Promise.all([look(dashboard), look(dashboard, seeing(undefined, { requireTags }))])
    assert.deepEqual([all[0]?.status, some[0]?.status, some[0]?.error?.code], ['ok', 'error', 'above_clearance'])
    assert.deepEqual([some[0]?.frames, asked.length], [[], 1])
  })

  it('are refused one by one, and broken ones leave the others alone', async () => {
    const { look } = world((question) => {
      if (question.kind === 'sql' && question.sql.includes("'b'")) throw new Error('secret words')
      return {}
    })
    const seen = await look(content([panel('a'), panel('b'), panel('c')]))
    assert.deepEqual(
      seen.map(({ panelId, status }) => [panelId, status]),
      [
        ['a', 'ok'],
        ['b', 'error'],
        ['c', 'ok']
      ]
    )
    assert.equal(seen[1]?.error?.code, 'internal_error')
    assert.ok(!JSON.stringify(seen).includes('secret words'))
    await assert.rejects(look(content([panel('a')]), seeing(), {}, ['nobody']), { code: 'not_found' })
  })

  it('are drawn for each value that they are repeated by, a hundred at most', async () => {
    const { asked, look } = world()
    const repeated = panel('a', { repeat: { variable: 'line' } })
    const seen = await look(content([repeated]), seeing(), { variables: { line: ['3', '1'] } })
    assert.deepEqual(
      seen.map(({ repeatValue }) => repeatValue),
      ['3', '1']
    )
    assert.deepEqual(
      asked.map((one) => one.kind === 'sql' && one.parameters.line),
      [['3'], ['1']]
    )
    const values = Array.from({ length: 150 }, (_, n) => ({ value: `${n}` }))
    const many = content([repeated], { variables: [{ ...lines, values }] })
    const all = await look(many, seeing(), { variables: { line: values.map(({ value }) => value) } })
    assert.equal(all.length, 100)
  })

  it('take only values that can be chosen', async () => {
    const { look } = world()
    const dashboard = content([panel('a')])
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'grapheme' }), async (value) => {
        if (['1', '2', '3'].includes(value)) return
        await assert.rejects(look(dashboard, seeing(), { variables: { line: value } }), (error: Problem) => {
          return error.code === 'unprocessable' && error.errors?.[0]?.pointer === '/variables/line'
        })
      }),
      { numRuns: 30 }
    )
    await assert.rejects(look(dashboard, seeing(), { variables: { other: '1' } }), { code: 'unprocessable' })
  })

  it('say so where the variable that they name can’t be read, and others are shown', async () => {
    const { look } = world()
    const query = { reference: 'object://b/k.csv', sql: 'SELECT 1' }
    const variables = [lines, { name: 'broken', type: 'query', query }] as Content['variables']
    const needing = panel('a', { query: { reference: 'object://b/k.csv', sql: 'SELECT $broken' } })
    const seen = await look(content([needing, panel('b')], { variables }))
    assert.match(seen[0]?.error?.detail ?? '', /^The values of \$broken can’t be read: no rows/)
    assert.equal(seen[1]?.status, 'ok')
  })
})
