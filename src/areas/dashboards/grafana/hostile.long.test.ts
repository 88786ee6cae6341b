import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { assertMs } from '../../../../test/support/yardstick.ts'
import { fromGrafanaInSteps, type Imported } from './import.ts'

/** As large as a file may be, nearly. */
const CHARS = 4_800_000
/** As long as SQL may be, nearly. */
const SQL_CHARS = 19_000
/** What no step may take longer, on an idle machine: others wait for as long. */
const STEP_MS = 400
const ALL_MS = 4000

const filled = (piece: string, chars = SQL_CHARS) => piece.repeat(Math.floor(chars / piece.length))
const within = (piece: string) => `${filled(piece, SQL_CHARS / 2)}a${')'.repeat(SQL_CHARS / 2 / piece.length)}`

/** The SQL in as many panels and queries as a file has room for. */
function asking(sql: string, more: object = {}) {
  const count = Math.floor(CHARS / (sql.length + 100))
  const targets = Array.from({ length: count }, (_, at) => ({ refId: `${at}`, rawSql: sql, ...more }))
  const datasource = { type: 'postgres', uid: 'here' }
  const panels = Array.from({ length: 200 }, (_, at) => {
    return { type: 'table', title: 't', datasource, targets: targets.filter((_, n) => n % 200 === at) }
  })
  const variables = { list: [{ name: 'one', type: 'custom', query: 'a,b' }] }
  return { title: 'x', panels, templating: variables }
}

const library = (model: object) => ({
  title: 'x',
  panels: Array.from({ length: 200 }, () => ({ libraryPanel: { uid: 'u' } })),
  __elements: { u: { model: { type: 'table', datasource: { type: 'postgres', uid: 'here' }, ...model } } }
})

const FILES: Readonly<Record<string, () => unknown>> = {
  'values in a list': () => asking(`SELECT 1 FROM t WHERE a IN (${filled('$one,')}1)`),
  'values behind comments': () => asking(`SELECT 1 FROM t WHERE a = ${filled('/**/ = $one ')}`),
  'macros within macros that write their argument twice': () => asking(`SELECT ${within('$__timeFilter(')}`),
  'macros within macros': () => asking(`SELECT ${within('$__time(')}`),
  'lists of tables within each other': () => asking(`SELECT 1 ${filled('from a,', SQL_CHARS / 2)} b`),
  'variables that are never closed': () => asking(`SELECT ${filled(`\${a:`)}`),
  'old variables that are never closed': () => asking(`SELECT ${filled('[[a:')}`),
  'brackets that are never closed': () => asking(`SELECT ${filled('(')}`),
  'many queries of a panel': () => {
    const targets = Array.from({ length: 60_000 }, () => ({ rawSql: 'SELECT 1 FROM t' }))
    return { title: 'x', panels: [{ type: 'table', datasource: 'here', targets }] }
  },
  'one large panel of a library many times': () => {
    const targets = Array.from({ length: 200 }, () => ({ rawSql: `SELECT ${filled('$one,')}` }))
    return library({ targets, links: Array.from({ length: 20_000 }, () => ({ url: 'https://a/$b' })) })
  },
  'nothing but panels': () => ({ title: 'x', panels: Array.from({ length: 1_500_000 }, () => ({})) }),
  'a long address': () => ({ title: 'x', panels: [], links: [{ url: `https://${filled('$b', CHARS)}` }] }),
  'a list of values': () => {
    return { panels: [], templating: { list: [{ name: 'v', type: 'custom', query: filled('a,', CHARS) }] } }
  }
}

describe('a file of Grafana that means harm', () => {
  for (const [name, file] of Object.entries(FILES)) {
    it(`holds nobody up with ${name}`, () => {
      const steps = fromGrafanaInSteps(file(), { here: { reference: 'object://b/k.csv' } })
      let [longestMs, allMs] = [0, 0]
      let imported: Imported | undefined
      while (imported === undefined) {
        const before = process.cpuUsage()
        const { done, value } = steps.next()
        const { user, system } = process.cpuUsage(before)
        longestMs = Math.max(longestMs, (user + system) / 1000)
        allMs += (user + system) / 1000
        if (done) imported = value
      }
      assert.ok('faults' in imported || imported.report.panels.length <= 200)
      assertMs(longestMs, STEP_MS)
      assertMs(allMs, ALL_MS)
    })
  }

  it('is told of its faults, and of what is left out', () => {
    const notesOf = (json: unknown) => {
      const steps = fromGrafanaInSteps(json, { here: { reference: 'object://b/k.csv' } })
      for (let step = steps.next(); ; step = steps.next()) {
        if (!step.done) continue
        const imported = step.value
        if ('faults' in imported) return imported.faults.map(({ message }) => message)
        return imported.report.panels.flatMap(({ notes }) => notes)
      }
    }
    const told = (json: unknown, words: RegExp) => assert.ok(notesOf(json).some((note) => words.test(note)))
    told(FILES['nothing but panels']?.(), /^must have at most 200000 objects and lists$/)
    told(FILES['macros within macros']?.(), /macros within macros, more than 3 deep/)
    told(asking(`SELECT ${filled('a ')} FROM t`), /queries of the dashboard have more than 500000 characters/)
    told(FILES['many queries of a panel']?.(), /^Its other 59959 queries are left out\.$/)
    told(
      library({ text: 'x'.repeat(1_000_000) }),
      /^It is the library panel u, which is too large to stand there so often\.$/
    )
  })
})
