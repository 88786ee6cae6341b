import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { withValues } from '../images/panel-picture.ts'
import { fromGrafana } from './import.ts'
import { DATA_SOURCES, expectedFile, grafanaDashboards } from './testing/dashboards.ts'
import { requireSound } from './testing/sound.ts'

const dashboards = grafanaDashboards()

const imported = (json: unknown) => {
  const result = fromGrafana(json, DATA_SOURCES)
  if ('faults' in result) throw new Error(JSON.stringify(result.faults))
  return result
}
const panel = (more: object) => ({ title: 'x', panels: [{ id: 1, type: 'timeseries', title: 't', ...more }] })
const sql = (rawSql: string, more: object = {}) =>
  panel({ datasource: { type: 'postgres', uid: 'pg-plant' }, targets: [{ refId: 'A', rawSql }], ...more })

describe('dashboards of Grafana', () => {
  it('are there for the tests in many forms', () => assert.ok(dashboards.length >= 25))

  for (const { name, json } of dashboards) {
    it(`${name} becomes what is kept for it`, () => {
      const result = fromGrafana(json, DATA_SOURCES)
      requireSound(result)
      assert.deepEqual(JSON.parse(JSON.stringify(result)), JSON.parse(readFileSync(expectedFile(name), 'utf8')))
    })
  }

  it('that are none are refused with a pointer', () => {
    const faultAt = (json: unknown) => {
      const result = fromGrafana(json, {})
      return 'faults' in result ? result.faults[0]?.pointer : undefined
    }
    for (const json of [null, 7, 'x', [], {}, { title: 'x' }, { kind: 'List', spec: {} }])
      assert.equal(faultAt(json), '')
    assert.equal(faultAt({ panels: {} }), '/panels')
    assert.equal(faultAt({ dashboard: { rows: 'x', schemaVersion: 4 } }), '/dashboard/rows')
    assert.equal(faultAt({ kind: 'Dashboard', spec: {} }), '/spec')
  })

  it('that are too deep or too large are refused', () => {
    let deep: unknown = []
    for (let level = 0; level < 100; level++) deep = { deep }
    const messageOf = (json: unknown) => {
      const result = fromGrafana(json, {})
      return 'faults' in result ? result.faults[0]?.message : ''
    }
    assert.match(messageOf({ panels: [], deep }) ?? '', /60 levels/)
    assert.match(messageOf({ panels: [], long: 'x'.repeat(5 * 1024 * 1024) }) ?? '', /5 MB/)
    assert.match(messageOf({ panels: Array(900_000).fill(0) }) ?? '', /5 MB/)
  })

  it('keep what a panel asked as it is, whatever is chosen of the variables in it', () => {
    const list = [{ name: 'col', type: 'custom', query: 'speed,weight', current: { value: 'speed' } }]
    const { content } = imported({ ...sql('SELECT $col, $1 FROM readings'), templating: { list } })
    const text = content.panels[0]?.options?.text ?? ''
    assert.match(text, /: \$\{col\} stands for a part of the SQL.*\nSELECT \$\{col\}, \$1 FROM readings\n/s)
    assert.equal(withValues(text, new Map([['col', ['speed']]])), text)
  })

  it('can have more panels than a dashboard, and more than a call has arguments', () => {
    const folded = { type: 'row', title: 'r', panels: Array(150_000).fill({ type: 'text' }) }
    for (const json of [{ panels: [folded] }, { panels: folded.panels }, { rows: [folded] }]) {
      const { content, report } = imported(json)
      assert.ok(content.panels.length >= 199)
      assert.match(report.dashboard[0] ?? '', /panels are left out: a dashboard can have 200/)
    }
  })

  it('take no time that grows faster than they do', () => {
    // A thousandth of a second or so each, where every bracket is looked for once; minutes where it is not.
    const texts = [
      'f('.repeat(9000),
      ' from ('.repeat(2700),
      'a.'.repeat(9000),
      `${'a('.repeat(5000)}${')'.repeat(5000)}`
    ]
    const targets = texts.map((text) => ({ rawSql: `SELECT ${text}` }))
    const { user } = process.cpuUsage()
    imported(panel({ type: 'table', datasource: 'pg-plant', targets }))
    const usedMs = (process.cpuUsage().user - user) / 1000
    assert.ok(usedMs < 2000, `${usedMs} ms`)
  })

  it('name nothing that all objects have', () => {
    const hostile = JSON.parse(
      '{"title":"x","panels":[{"type":"constructor","__proto__":{"type":"text"}}],"__proto__":{"tags":["a"]}}'
    )
    const { content, report } = imported(hostile)
    assert.deepEqual([content.tags, report.panels[0]?.outcome], [[], 'left out'])
    const fields = {
      fieldConfig: { defaults: { unit: 'toString', thresholds: { steps: [{ color: 'valueOf', value: 1 }] } } }
    }
    const drawn = imported(sql('SELECT 1 FROM a', fields))
    assert.equal(drawn.content.panels[0]?.options, undefined)
    const source = fromGrafana(sql('SELECT 1 FROM a', { datasource: 'constructor' }), {})
    assert.ok('content' in source && source.content.panels[0]?.type === 'text')
  })

  it('have thresholds in rising order and in colours of ours', () => {
    const steps = [
      { color: 'semi-dark-red', value: 90 },
      { color: '#299c46', value: null },
      { color: 'rgba(237, 129, 40, 0.89)', value: 50 },
      { color: '#3274D9', value: 95 }
    ]
    const { content } = imported(
      sql('SELECT 1 FROM a', { fieldConfig: { defaults: { thresholds: { mode: 'absolute', steps } } } })
    )
    assert.deepEqual(content.panels[0]?.options?.thresholds, [
      { value: null, color: 'green' },
      { value: 50, color: 'orange' },
      { value: 90, color: 'red' },
      { value: 95, color: 'blue' }
    ])
  })

  it('say where one reference stands for several tables', () => {
    const targets = (rawSql: string) => ({ type: 'table', datasource: 'pg-plant', targets: [{ rawSql }] })
    const { report } = imported({
      title: 'x',
      panels: [targets('SELECT 1 FROM a'), targets('SELECT 1 FROM b')],
      timezone: 'utc'
    })
    assert.match(report.dashboard[0] ?? '', /pg-plant was given as one reference: a, b all read it/)
  })
})
