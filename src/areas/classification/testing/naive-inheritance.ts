import type { Db, Tables } from '../../../engines/metadata/index.ts'

/** A level at a place, with the way that it came: `resource column kind job`, one after the other. */
interface Carried {
  readonly resource: string
  readonly column: string
  readonly isPart: boolean
  readonly rank: number
  readonly level: string
  readonly label: string
  readonly way: readonly (readonly string[])[]
}

interface Road {
  readonly from: string
  readonly to: string
  readonly kind: string
  readonly job: string
  /** The column that a level of some column comes to; undefined where it does not. */
  lead(column: string): string | undefined
}

/**
 * What everything inherits, worked out from all rows at once: of all ways that there are, the one that counts for more than any
 * other is settled first, and goes on from there.
 */
export async function naiveInheritance(db: Db): Promise<string[]> {
  const { roads, given } = await world(db)
  const settled = new Map<string, Carried>()
  for (;;) {
    const first = [...settled.values()].filter((one) => isFirst(settled, one))
    const next = roads
      .flatMap((road) => {
        const whole = road.kind === 'overlaps' ? [...settled.values()].filter(({ isPart }) => !isPart) : first
        return [...given, ...whole].filter(({ resource }) => resource === road.from).flatMap((one) => along(road, one))
      })
      .filter((one) => !settled.has(placeOf(one)))
      .sort(byWorth)[0]
    if (next === undefined) break
    settled.set(placeOf(next), next)
  }
  // A part that counts for less than the whole has no row.
  return [...settled.values()]
    .filter((one) => !one.isPart || isFirst(settled, one))
    .map((one) => textOf(one, settled))
    .sort()
}

const placeOf = ({ resource, column, isPart }: Pick<Carried, 'resource' | 'column' | 'isPart'>) =>
  JSON.stringify([resource, column, isPart])

/** Whether it was settled before the other that its column has. */
function isFirst(settled: ReadonlyMap<string, Carried>, one: Carried): boolean {
  const names = [...settled.keys()]
  const other = names.indexOf(placeOf({ ...one, isPart: !one.isPart }))
  return other === -1 || names.indexOf(placeOf(one)) < other
}

const textOf = (one: Carried, settled: ReadonlyMap<string, Carried>): string =>
  JSON.stringify([one.resource, one.column, one.isPart, isFirst(settled, one), one.level, one.label, one.way])

function along(road: Road, one: Carried): Carried[] {
  const column = road.lead(one.column)
  if (column === undefined) return []
  const isPart = road.kind === 'overlaps'
  const [label, ...others] = one.way as [readonly string[], ...(readonly string[])[]]
  if (label[0] === road.to && (label[1] === '' || label[1] === column)) return []
  if (others.some((step) => step[0] === road.to && step[1] === column && (step[2] === 'overlaps') === isPart)) return []
  return [{ ...one, resource: road.to, column, isPart, way: [...one.way, [road.to, column, road.kind, road.job]] }]
}

function byWorth(a: Carried, b: Carried): number {
  if (a.rank !== b.rank) return b.rank - a.rank
  if (a.way.length !== b.way.length) return a.way.length - b.way.length
  const [one, two] = [a, b].map(({ way, label }) => [
    ...(way.at(-2)?.slice(0, 2) ?? []),
    ...(way.at(-1)?.slice(2) ?? []),
    label
  ])
  const at = (one as string[]).findIndex((text, index) => text !== two?.[index])
  return at === -1 ? 0 : (one?.[at] as string) < (two?.[at] as string) ? -1 : 1
}

async function world(db: Db): Promise<{ roads: Road[]; given: Carried[] }> {
  const nodes = new Map(
    (await db.selectFrom('lineage_nodes').selectAll().execute()).map((row) => [row.key, row.reference])
  )
  const name = (key: string) => nodes.get(key) ?? key
  // What a job has written stays written; names and links hold while they are there.
  const counts = ({ job, ended_ms }: { job: string; ended_ms: number | null }) => job !== '' || ended_ms === null
  const edges = (await db.selectFrom('lineage_edges').selectAll().execute()).filter(counts)
  const mappings = (await db.selectFrom('lineage_mappings').selectAll().execute()).filter(counts)
  const runs = await saidByRuns(db)
  const roads: Road[] = []
  for (const { from_node, from_column, to_node, to_column, kind, job } of mappings) {
    if (kind !== 'identity' && kind !== 'computed') continue
    const lead = (column: string) =>
      from_column === '' || column === '' || column === from_column ? to_column : undefined
    roads.push({ from: name(from_node), to: name(to_node), kind, job: job === '' ? '' : name(job), lead })
  }
  for (const edge of edges) {
    const { from_node, to_node, type } = edge
    const ends = { from: name(from_node), to: name(to_node) }
    if (['same', 'renamed', 'overlaps'].includes(type)) roads.push({ ...ends, kind: type, job: '', lead: (one) => one })
    const isLink = (row: (typeof mappings)[number]) =>
      row.job === '' && row.from_node === from_node && row.to_node === to_node
    if (type === 'links' && !mappings.some(isLink)) roads.push({ ...ends, kind: 'unmapped', job: '', lead: () => '' })
    const isHeard = (row: (typeof mappings)[number]) => edge.how !== 'captured' || row.how === 'captured'
    const told = mappings.filter((row) => row.job === from_node && row.to_node === to_node && isHeard(row))
    if (type !== 'writes') continue
    const isCovered = (ms: number) => told.some((row) => row.started_ms <= ms && ms <= lastNamed(row))
    const begins = [edge.started_ms, ...told.map((row) => lastNamed(row) + 1)]
    const silent = begins.filter((ms) => ms >= edge.started_ms && ms <= lastNamed(edge) && !isCovered(ms))
    const isMeanwhile = (row: typeof edge) =>
      silent.some((ms) => {
        const until = Math.min(
          edge.ended_ms ?? Infinity,
          ...told.map(({ started_ms }) => (started_ms > ms && started_ms <= lastNamed(edge) ? started_ms : Infinity))
        )
        if (row.started_ms >= until || ms >= (row.ended_ms ?? Infinity)) return false
        const isAll = ms === edge.started_ms && until === (edge.ended_ms ?? Infinity)
        return !isAll || mayBeOfOneRun(row, edge) || runs.some((run) => hasNamed(run, row) && hasNamed(run, edge))
      })
    for (const read of edges.filter((row) => row.type === 'reads' && row.to_node === from_node && isMeanwhile(row))) {
      roads.push({ from: name(read.from_node), to: ends.to, kind: 'unmapped', job: ends.from, lead: () => '' })
    }
  }
  return { roads, given: await labels(db) }
}

type Edge = Pick<
  Tables['lineage_edges'],
  'from_node' | 'to_node' | 'type' | 'how' | 'started_ms' | 'ended_ms' | 'seen_ms'
>

/** The start of the last run that named something, as far as is known of runs that said everything. */
const lastNamed = ({ started_ms, ended_ms, seen_ms }: Pick<Edge, 'started_ms' | 'ended_ms' | 'seen_ms'>): number =>
  ended_ms === null ? Infinity : Math.max(started_ms, seen_ms ?? started_ms)

/** Whether periods alone let two things have been named by one run. */
function mayBeOfOneRun(a: Edge, b: Edge): boolean {
  const [first, second] = a.started_ms <= b.started_ms ? [a, b] : [b, a]
  return (
    a.how !== b.how || first.ended_ms === null || second.started_ms <= Math.max(first.started_ms, first.seen_ms ?? 0)
  )
}

interface Said {
  readonly job: string
  readonly how: string
  readonly startMs: number
  readonly facts: readonly (readonly string[])[]
}

async function saidByRuns(db: Db): Promise<Said[]> {
  const statements = await db.selectFrom('lineage_statements').selectAll().execute()
  const runs = await db.selectFrom('lineage_runs').selectAll().execute()
  return runs.map(({ job, how, start_ms: startMs, statement }) => {
    const said = statements.find((one) => one.job === job && one.hash === statement)
    return { job, how, startMs, facts: JSON.parse(said?.facts ?? '[]') as string[][] }
  })
}

/** Whether it is one of the runs that a period is about. */
function hasNamed({ job, how, startMs, facts }: Said, edge: Edge): boolean {
  const [own, other, kind] =
    edge.type === 'reads' ? [edge.to_node, edge.from_node, 'r'] : [edge.from_node, edge.to_node, 'w']
  const isMeanwhile = startMs >= edge.started_ms && startMs < (edge.ended_ms ?? Infinity)
  return how === edge.how && job === own && isMeanwhile && facts.some((fact) => fact[0] === kind && fact[1] === other)
}

async function labels(db: Db): Promise<Carried[]> {
  const ranks = new Map(
    (await db.selectFrom('classification_levels').selectAll().execute()).map((row) => [row.name, row.rank])
  )
  const rows = await db.selectFrom('classification_resources').selectAll().execute()
  return rows.flatMap(({ id, resource: labelled, columns, level }) => {
    const resource = labelled.replace(/^bucket:(.*)$/, 'object://$1/**')
    const own = JSON.parse(columns) as string[]
    return (own.length === 0 ? [''] : own).map((column) => ({
      resource,
      column,
      isPart: false,
      rank: ranks.get(level) as number,
      level,
      label: id,
      way: [[resource, column, 'given', '']]
    }))
  })
}

/** What is in the table, in the same words. */
export async function storedInheritance(db: Db): Promise<string[]> {
  const rows = await db.selectFrom('classification_inherited').selectAll().execute()
  return rows
    .map((row) => {
      const path = JSON.parse(row.path) as { resource: string; column: string; kind: string; job: string | null }[]
      const way = path.map(({ resource, column, kind, job }) => [resource, column, kind, job ?? ''])
      return JSON.stringify([
        row.resource,
        row.column_name,
        row.is_part === 1,
        row.is_shown === 1,
        row.level,
        row.label,
        way
      ])
    })
    .sort()
}
