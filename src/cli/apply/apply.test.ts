// Once: a command that calls the API.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, before, describe, it } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/support/app.ts'
import { applyDashboards } from './apply-dashboards.ts'
import { applyRules } from './apply-rules.ts'
import { readFileContent } from './read-file.ts'

const root = join(import.meta.dirname, '../../..')

describe('millrace apply', () => {
  let test: TestApp
  let token: string
  const folder = mkdtempSync(join(tmpdir(), 'millrace-apply-'))
  before(async () => {
    test = await startTestApp()
    token = await test.token('ada', 'editor')
  })
  after(async () => {
    rmSync(folder, { recursive: true })
    await test.close()
  })

  async function apply(text: string, isDry = false): Promise<string[]> {
    const file = join(folder, 'rules.yaml')
    writeFileSync(file, text)
    const said: string[] = []
    const server = { base: test.url, token, isDry, say: (line: string) => void said.push(line) }
    const { qualityRules, dashboards } = await readFileContent(file)
    if (qualityRules.length > 0) await applyRules(server, qualityRules)
    if (dashboards.length > 0) await applyDashboards(server, dashboards)
    return said
  }
  const rules = (severity: string) => `qualityRules:
  - { name: a, dataset: "object://none/a.csv", type: unique, config: { columns: [id] }, severity: ${severity}, on: [object] }
  - { name: b, dataset: "object://none/b.csv", type: rowCount, config: { min: 1 } }
`

  it('makes rules, changes those that differ, and the same file twice changes nothing', async () => {
    const dry = [
      'would make: a',
      'would make: b',
      'dry run, nothing was done: 2 made, 0 changed, 0 as they are, 0 refused'
    ]
    assert.deepEqual(await apply(rules('error'), true), dry)
    assert.deepEqual(await apply(rules('error')), ['make: a', 'make: b', '2 made, 0 changed, 0 as they are, 0 refused'])
    assert.deepEqual(await apply(rules('error')), ['0 made, 0 changed, 2 as they are, 0 refused'])
    const change = 'change: a: severity "error" → "critical"'
    assert.deepEqual((await apply(rules('critical'), true))[0], `would ${change}`)
    assert.deepEqual((await apply(rules('critical')))[0], change)
    const { body } = await test.call('GET', '/api/quality/rules', { as: 'viewer' })
    const found = body.rules.map((rule: { name: string; severity: string; version: number }) => [
      rule.name,
      rule.severity,
      rule.version
    ])
    assert.deepEqual(found, [
      ['a', 'critical', 2],
      ['b', 'error', 1]
    ])
  })

  it('takes the file that the guide shows', async () => {
    const text = readFileSync(join(import.meta.dirname, '../../../docs/examples/quality/rules.yaml'), 'utf8')
    assert.equal((await apply(text)).at(-1), '5 made, 0 changed, 0 as they are, 0 refused')
    assert.equal((await apply(text)).at(-1), '0 made, 0 changed, 5 as they are, 0 refused')
  })

  it('says what is refused and why, and goes on', async () => {
    const said = await apply(`qualityRules:
  - { name: c, dataset: "object://none/a.csv", type: unique, config: {} }
  - { name: a, dataset: "object://none/z.csv", type: unique, config: { columns: [id] } }
  - { name: d, dataset: "object://none/b.csv", type: rowCount, config: { max: 9 } }
`)
    assert.deepEqual(said, [
      'refused: c: /config/columns is required for unique',
      "refused: a: dataset can't be changed; give the rule another name, or delete the old one",
      'make: d',
      '1 made, 0 changed, 0 as they are, 2 refused'
    ])
    await assert.rejects(apply('rules: []'), /no list under qualityRules or dashboards/)
    await assert.rejects(apply('qualityRules: [{ name: a }, { name: a }]'), /has the name of another one: a/)
    await assert.rejects(apply('qualityRules: ['), /rules\.yaml: /)
  })

  it('asks the server in a dry run, which refuses what it would refuse, and makes nothing', async () => {
    const { body } = await test.call('GET', '/api/quality/rules', { as: 'viewer' })
    const said = await apply(
      `qualityRules:
  - { name: e, dataset: "object://none/a.csv", type: unique, config: {} }
  - { name: a, dataset: "object://none/a.csv", type: unique, config: { columns: [id] }, severity: dire }
  - { name: b, dataset: "object://none/b.csv", type: rowCount, config: { min: 2 } }
  - { name: f, dataset: "object://none/b.csv", type: rowCount, config: { max: 9 } }
`,
      true
    )
    assert.match(String(said[1]), /^refused: a: \/severity must be/)
    assert.deepEqual(said.toSpliced(1, 1), [
      'refused: e: /config/columns is required for unique',
      'would change: b: config {"min":1} → {"min":2}',
      'would make: f',
      'dry run, nothing was done: 1 made, 1 changed, 0 as they are, 2 refused'
    ])
    assert.deepEqual((await test.call('GET', '/api/quality/rules', { as: 'viewer' })).body, body)
  })

  it('takes no file that is not UTF-8, and says where', async () => {
    const file = join(folder, 'latin.yaml')
    writeFileSync(file, Buffer.from('# Rules\nqualityRules:\n  - { name: "Gr\u00f6\u00dfe" }\n', 'latin1'))
    await assert.rejects(readFileContent(file), /latin\.yaml is not UTF-8: line 3 has other bytes/)
  })

  it('does all of it although nobody reads what it says any more', async () => {
    const file = join(folder, 'unread.yaml')
    writeFileSync(file, rules('error').replaceAll('name: ', 'name: unread '))
    const args = ['src/cli/main.js', 'apply', '-f', file, '--url', test.url, '--token', token]
    const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] })
    // As `head` does, and long before the process has come to its first line.
    child.stdout.destroy()
    const [complaints, [code]] = await Promise.all([text(child.stderr), once(child, 'close')])
    assert.deepEqual([code, complaints], [0, ''])
    assert.equal((await test.call('GET', '/api/quality/rules?q=unread', { as: 'viewer' })).body.total, 2)
  })

  it('makes dashboards by folder and name, and the same file twice changes nothing', async () => {
    const file = (text: string) => `dashboards:
  - name: Hall
    folder: plant
    everyone: view
    panels:
      - { id: note, title: Note, type: text, position: { x: 0, y: 0, w: 24, h: 4 }, options: { text: ${text} } }
  - { name: Hall, folder: office }
`
    assert.deepEqual((await apply(file('first'), true)).slice(-2), [
      'dashboards were compared, but not checked: the server may still refuse some of them',
      'dry run, nothing was done: 2 made, 0 changed, 0 as they are, 0 refused'
    ])
    assert.deepEqual(await apply(file('first')), [
      'make: Hall',
      'make: Hall',
      '2 made, 0 changed, 0 as they are, 0 refused'
    ])
    assert.deepEqual(await apply(file('first')), ['0 made, 0 changed, 2 as they are, 0 refused'])
    assert.deepEqual(await apply(file('second')), [
      'change: Hall: panels',
      '0 made, 1 changed, 1 as they are, 0 refused'
    ])
    const { body } = await test.call('GET', '/api/dashboards?folder=plant', { as: 'viewer' })
    assert.deepEqual([body.dashboards[0].version, body.dashboards[0].everyone], [2, 'view'])
    await test.call('POST', '/api/dashboards', { as: 'editor', body: { name: 'Hall', folder: 'plant' } })
    const [said] = await apply(file('third'))
    assert.equal(said, 'refused: Hall: 2 dashboards of the folder have this name; rename all but one')
    const [wrong] = await apply('dashboards: [{ name: x, timeZone: Mars/Olympus }]')
    assert.match(String(wrong), /^refused: x: \/timeZone must be/)
  })

  it('takes the file that the guide to dashboards shows', async () => {
    const guide = readFileSync(join(import.meta.dirname, '../../../docs/dashboards.md'), 'utf8')
    const text = /```yaml\n(.*?)```/s.exec(guide)?.[1] ?? ''
    assert.equal((await apply(text)).at(-1), '1 made, 0 changed, 0 as they are, 0 refused')
  })
})
