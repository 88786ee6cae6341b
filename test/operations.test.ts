import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { startTestApp, type TestApp } from './support/app.ts'
import { type MetricFamily, readMetricFamilies } from './support/metrics.ts'
import { assertShows, runInShell, stepsIn } from './support/shell-steps.ts'

const guide = readFileSync(join(import.meta.dirname, '../docs/operations.md'), 'utf8')

let test: TestApp
let families: readonly MetricFamily[]

before(async () => {
  test = await startTestApp()
  families = await readMetricFamilies(test)
})
after(() => test.close())

/** The rows of the table whose first heading this is, cell by cell. */
function tableOf(heading: string): string[][] {
  const [, rows = ''] = new RegExp(`^\\| ${heading} .*\\n\\| ---.*\\n((?:\\|.*\\n)+)`, 'm').exec(guide) ?? []
  const cells = rows.split('\n').filter((row) => row !== '')
  return cells.map((row) =>
    row
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim())
  )
}

/** Says which rows a table lacks, and which it has that stand for nothing. */
function assertRows(heading: string, told: readonly string[], there: readonly string[]): void {
  const [head] = new RegExp(`^\\| ${heading} .*`, 'm').exec(guide) ?? ['']
  const where = `docs/operations.md, table ${head.replaceAll(/ +/g, ' ')}`
  for (const name of there) assert.ok(told.includes(name), `${where}: it needs a row for \`${name}\``)
  for (const name of told) assert.ok(there.includes(name), `${where}: there is no \`${name}\` any more`)
  assert.equal(told.length, there.length, `${where}: it has a row twice`)
}

const quoted = (text: string) => [...text.matchAll(/`([^`]+)`/g)].map(([, name]) => name as string)
const isOfProcess = (name: string) => name.startsWith('process_') || name.startsWith('nodejs_')

describe('the guide to operations', () => {
  it('has every check of health, with what it means and what to do', async () => {
    const { body } = await test.call('GET', '/api/health')
    const rows = tableOf('Check')
    const told = rows.flatMap(([check = '']) => quoted(check))
    // One is there only where several servers could share a database.
    const all = [...new Set([...Object.keys(body.checks), 'replicas'])]
    assertRows('Check', told, all)
    for (const [check, meaning = '', remedy = ''] of rows) {
      const where = `docs/operations.md, table of checks, row ${check}`
      assert.ok(meaning.length > 20, `${where}: say in over 20 characters what it means when it is not ok`)
      assert.ok(remedy.length > 20, `${where}: say in over 20 characters what to do then`)
    }
  })

  it('has every metric, with its type and its labels', () => {
    const shown = tableOf('Metric').map(([name = '', type = '', labels = '']) => ({
      name: quoted(name)[0],
      type,
      labels: quoted(labels).toSorted()
    }))
    const exposed = families
      .filter(({ name }) => !isOfProcess(name))
      .map(({ name, type, samples }) => {
        const labels = new Set([...samples.values()].flatMap((sample) => Object.keys(sample.labels)))
        labels.delete('le')
        const toldOf = shown.find((row) => row.name === name)?.labels ?? []
        // One that has no series yet shows no labels.
        return { name, type: type as string, labels: samples.size === 0 ? toldOf : [...labels].toSorted() }
      })
    const byName = (a: { name?: string | undefined }, b: { name?: string | undefined }) =>
      (a.name ?? '') < (b.name ?? '') ? -1 : 1
    assertRows(
      'Metric',
      shown.map(({ name = '' }) => name),
      exposed.map(({ name }) => name)
    )
    assert.deepEqual(shown.toSorted(byName), exposed.toSorted(byName))
  })

  it('has alerts on metrics that there are', () => {
    const expressions = [...guide.matchAll(/^\s+expr: (.*)$/gm)].map(([, expression]) => expression as string)
    assert.ok(expressions.length >= 10)
    const known = new Set(['up', ...families.map(({ name }) => name)])
    for (const expression of expressions) {
      const names =
        expression.replaceAll(/\{[^}]*\}|"[^"]*"/g, '').match(/\b(?:up|(?:millrace|http|nodejs|process)_\w+)/g) ?? []
      assert.ok(names.length > 0, expression)
      for (const name of names) {
        assert.ok(known.has(name) || known.has(name.replace(/_(bucket|count|sum)$/, '')), `${name} in ${expression}`)
      }
    }
  })

  it('has every filter of the audit trail', async () => {
    const { paths } = (await test.app.describe()) as {
      paths: Record<string, { get: { parameters: { name: string; in: string }[] } }>
    }
    const parameters = paths['/api/audit/logs']?.get.parameters ?? []
    const filters = parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name)
    assert.deepEqual(
      tableOf('Filter').flatMap(([name = '']) => quoted(name)),
      filters.filter((name) => !['limit', 'cursor', 'sort'].includes(name))
    )
  })

  const skip = spawnSync('curl', ['--version']).error !== undefined && 'needs curl'
  it('has commands that work as written', { skip }, async () => {
    const steps = stepsIn(guide)
    const env = { BASE: test.url, TOKEN: await test.token('ada', 'admin') }
    const answers = await runInShell(
      steps.map(({ script }) => script),
      env
    )
    for (const [index, { script, answer }] of steps.entries()) {
      if (answer === undefined) assert.equal(answers[index], '', script)
      else assertShows(JSON.parse(answers[index] as string), answer, script)
    }
    assert.ok(steps.filter(({ answer }) => answer !== undefined).length >= 3)
  })
})
