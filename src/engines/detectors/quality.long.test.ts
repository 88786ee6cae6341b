import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { detect } from './detect.ts'
import { KINDS, type Kind } from './kinds.ts'
import { type LabelledColumn, labelledColumns } from './testing/columns.ts'
import { unseenColumns } from './testing/unseen.ts'

const LEAST_COLUMNS = 400
const PRECISION = 0.95
const RECALL = 0.9
/** Of the columns that the detectors were not fitted to. */
const UNSEEN_PRECISION = 0.95
const UNSEEN_RECALL = 0.8
const SEED = Number(process.env.PROPERTY_SEED ?? 1)

interface Tally {
  right: number
  wrong: number
  missed: number
}

const noTally = (): Tally => ({ right: 0, wrong: 0, missed: 0 })
const precisionOf = ({ right, wrong }: Tally) => (right + wrong === 0 ? 1 : right / (right + wrong))
const recallOf = ({ right, missed }: Tally) => (right + missed === 0 ? 1 : right / (right + missed))

/** Counts for each kind, and what went wrong in words. */
function judged(columns: readonly LabelledColumn[]) {
  const tallies = new Map<Kind, Tally>(KINDS.map((kind) => [kind, noTally()]))
  const mistakes: string[] = []
  for (const { name, values, kinds, from } of columns) {
    const found = detect(name, values).map(({ kind }) => kind)
    for (const kind of new Set([...kinds, ...found])) {
      const what = !kinds.includes(kind) ? 'wrong' : found.includes(kind) ? 'right' : 'missed'
      ;(tallies.get(kind) as Tally)[what]++
      if (what !== 'right') mistakes.push(`${what}: ${kind} in ${name} (${from}), such as ${values.find(Boolean)}`)
    }
  }
  const all = noTally()
  for (const tally of tallies.values())
    for (const what of ['right', 'wrong', 'missed'] as const) all[what] += tally[what]
  return { tallies, all, mistakes: mistakes.join('\n') }
}

const inWords = (name: string, tally: Tally) =>
  `${name.padEnd(15)} precision ${precisionOf(tally).toFixed(3)}, recall ${recallOf(tally).toFixed(3)}, of ${tally.right + tally.missed} columns`

function print(test: TestContext, { tallies, all, mistakes }: ReturnType<typeof judged>): void {
  for (const [kind, tally] of tallies) test.diagnostic(inWords(kind, tally))
  test.diagnostic(inWords('all', all))
  if (mistakes !== '') for (const mistake of mistakes.split('\n')) test.diagnostic(mistake)
}

describe('detectors on columns of which it is known what they hold', () => {
  it('find what there is and little else', (test) => {
    const columns = labelledColumns(SEED)
    assert.ok(columns.length >= LEAST_COLUMNS, `${columns.length} columns`)
    const result = judged(columns)
    print(test, result)
    assert.ok(precisionOf(result.all) >= PRECISION, result.mistakes)
    assert.ok(recallOf(result.all) >= RECALL, result.mistakes)
  })

  it('do so, if less well, where names and values are written in other ways', (test) => {
    const result = judged(unseenColumns(SEED))
    print(test, result)
    assert.ok(precisionOf(result.all) >= UNSEEN_PRECISION, result.mistakes)
    assert.ok(recallOf(result.all) >= UNSEEN_RECALL, result.mistakes)
  })
})
