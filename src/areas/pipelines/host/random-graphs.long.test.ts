import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import { type NodeText, openWorkshop, type Workshop } from '../testing/workshop.ts'

let workshop: Workshop
before(async () => {
  workshop = await openWorkshop()
})
after(() => workshop.close())

/** A part of a pipeline with the one SQL statement that is to give the same records; all have the columns n, g, x, s and t. */
interface Piece {
  readonly nodes: readonly NodeText[]
  /** The node whose output it is. */
  readonly last: string
  readonly sql: string
}

const FIELDS = {
  n: 'n',
  g: 'n % 7',
  x: '((n * 37) % 101) * 0.5',
  s: "'k' || (n % 5)",
  t: "TIMESTAMP '2026-03-01' + to_seconds(n * 13)"
}

const filters = [
  'g <> 3',
  'x > 20 AND s <> $$k2$$',
  'n % 2 = 0 OR g = 1',
  "s LIKE 'k_' -- a comment",
  'x * 2 >= g',
  'false'
]
const maps: Record<string, string>[] = [
  { x: 'x + g' },
  { s: 'upper(s)', g: '(g + 1) % 4' },
  { n: 'n + 1', x: 'CASE WHEN g > 2 THEN x ELSE -x END' },
  { t: 't + INTERVAL 1 MINUTE' }
]

let made = 0
const nextId = (kind: string) => {
  made += 1
  return `${kind}_${made}`
}

const source = fc.integer({ min: 0, max: 3000 }).map((count): Piece => {
  const id = nextId('gen')
  const list = Object.entries(FIELDS).map(([name, text]) => `${text} AS ${name}`)
  const config = { count: Math.max(1, count), fields: FIELDS }
  return {
    nodes: [{ id, type: 'generate', config }],
    last: id,
    sql: `SELECT ${list.join(', ')} FROM (SELECT range AS n FROM range(${config.count}))`
  }
})

type Grow = (piece: Piece) => Piece

const add = (piece: Piece, node: Omit<NodeText, 'id'> & { id: string }, sql: string): Piece => {
  return { nodes: [...piece.nodes, { ...node, inputs: [piece.last] }], last: node.id, sql }
}

const filtered = fc.constantFrom(...filters).map(
  (where): Grow =>
    (piece) => {
      return add(
        piece,
        { id: nextId('filter'), type: 'filter', config: { where } },
        `SELECT * FROM (${piece.sql}) WHERE (${where}\n)`
      )
    }
)

const mapped = fc.constantFrom(...maps).map(
  (select): Grow =>
    (piece) => {
      const list = Object.entries(FIELDS).map(
        ([name]) => `${select[name] === undefined ? name : `(${select[name]})`} AS ${name}`
      )
      const config = { select, keep: true }
      return add(piece, { id: nextId('map'), type: 'map', config }, `SELECT ${list.join(', ')} FROM (${piece.sql})`)
    }
)

/** A statement whose answer does not depend on how records are divided into batches. */
const queried = fc.constant<Grow>((piece) => {
  const query = 'SELECT n, g, x, s, t FROM input WHERE g < 6 UNION ALL SELECT n, 9, x, s, t FROM input WHERE g = 2'
  return add(piece, { id: nextId('sql'), type: 'sql', config: { query } }, `WITH input AS (${piece.sql}) ${query}`)
})

const aggregated = fc.constantFrom(['5m', 300], ['1h', 3600]).map(
  ([window, seconds]): Grow =>
    (piece) => {
      const select = { n: 'count(*)', x: 'sum(x)', s: 'min(s)' }
      const windows = add(
        piece,
        {
          id: nextId('agg'),
          type: 'aggregate',
          config: { window, time: 't', groupBy: ['g'], select, lateness: '52w' }
        },
        `SELECT g, time_bucket(INTERVAL ${seconds} SECONDS, t, TIMESTAMP '1970-01-01') AS w, count(*) AS n, sum(x) AS x, min(s) AS s FROM (${piece.sql}) GROUP BY g, w`
      )
      const config = { select: { n: 'n', g: 'g', x: 'x', s: 's', t: 'window_start' } }
      return add(windows, { id: nextId('map'), type: 'map', config }, `SELECT n, g, x, s, w AS t FROM (${windows.sql})`)
    }
)

const grown = fc
  .tuple(
    source,
    fc.array(fc.oneof({ weight: 3, arbitrary: filtered }, { weight: 3, arbitrary: mapped }, queried, aggregated), {
      maxLength: 5
    })
  )
  .map(([start, steps]) => steps.reduce((piece, grow) => grow(piece), start))

async function outputOf(sink: string): Promise<unknown[]> {
  const rows =
    (await workshop.keys(`${sink}/`)).length === 0
      ? []
      : await workshop.rows('SELECT n, g, x, s, t FROM objects', `${sink}/`)
  return rows.map((row) => JSON.stringify(row)).sort()
}

const answerOf = async (sql: string) =>
  (await workshop.rows(`SELECT n, g, x, s, t FROM (${sql})`)).map((row) => JSON.stringify(row)).sort()

const sinkOf = (id: string, inputs: string[]): NodeText => ({
  id,
  type: 'object',
  config: { bucket: 'b', prefix: `${id}/`, format: 'parquet' },
  inputs
})

test('any valid pipeline gives what one SQL statement gives over the same records, and its books balance', async () => {
  await fc.assert(
    fc.asyncProperty(grown, fc.array(fc.oneof(filtered, mapped), { maxLength: 2 }), async (piece, branch) => {
      // A second way from the same node to a sink of its own, so that records go to two places.
      const other = branch.reduce((grownPiece, grow) => grow(grownPiece), piece)
      const [a, b] = [nextId('out'), nextId('out')]
      const nodes = [...other.nodes, sinkOf(a, [piece.last]), sinkOf(b, [other.last])]
      const ran = await workshop.run(nodes)
      assert.equal(ran.end, 'completed')
      assert.equal(ran.imbalance, 0)
      assert.deepEqual(await outputOf(a), await answerOf(piece.sql))
      assert.deepEqual(await outputOf(b), await answerOf(other.sql))
    }),
    { numRuns: 30 }
  )
})
