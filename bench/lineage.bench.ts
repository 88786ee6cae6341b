import { loadavg } from 'node:os'
import { sql } from 'kysely'
import { nodeKey } from '../src/areas/lineage/references.ts'
import type { Metadata } from '../src/engines/metadata/index.ts'
import { startPostgres } from '../test/support/postgres.ts'
import { seeded } from './lineage/large-graph.ts'
import { openSite, type Site } from './lineage/site.ts'
import { idleMs } from './support/idle-time.ts'
import { median, putLoad, residentMb, startMillrace } from './support/servers.ts'

const UPSTREAM_LIMIT_MS = 30
const IMPACT_LIMIT_MS = 1000
const PATH_LIMIT_MS = 100
const EVENTS_FLOOR = 2000
const QUESTIONS = 300
const INGEST_MS = 10_000

/** What questions take in a graph of a million edges, how fast events come in, and what the area costs when nobody asks. */
export async function run(): Promise<boolean> {
  console.log(`load average ${loadavg()[0]?.toFixed(1)}`)
  console.log(`processor time of 20 s idle: ${idleMs([])} ms, without lineage ${idleMs(['lineage'])} ms`)
  const server = await startMillrace()
  console.log(`ready after ${server.readyMs.toFixed(0)} ms with ${residentMb(server.pid).toFixed(0)} MB`)
  await server.stop()
  const passed = [await measure('SQLite', undefined)]
  const postgres = await startPostgres()
  try {
    passed.push(await measure('PostgreSQL', postgres.url))
  } finally {
    await postgres.stop()
  }
  return passed.every((ok) => ok)
}

async function measure(name: string, databaseUrl: string | undefined): Promise<boolean> {
  const site = await openSite(databaseUrl)
  try {
    console.log(
      `\n${name}: ${site.graph.edges} edges, ${site.graph.nodes} nodes; load average ${loadavg()[0]?.toFixed(1)}`
    )
    return [await upstream(site), await impact(site), await paths(site), await events(site)].every((ok) => ok)
  } finally {
    await site.close()
  }
}

/** Beside the database's own recursion over the same table. */
async function upstream(site: Site): Promise<boolean> {
  const random = seeded(3)
  const { last } = site.graph
  const times: number[] = []
  const bare: number[] = []
  const trips: number[] = []
  let nodes = 0
  let usedMs = 0
  for (let n = 0; n < QUESTIONS; n++) {
    const root = last[Math.floor(random() * last.length)] as string
    const before = site.usedMs()
    const { ms, answer } = await site.ask(`upstream/${encodeURIComponent(root)}?depth=10`)
    usedMs += site.usedMs() - before
    times.push(ms)
    nodes += answer.nodes.length
    trips.push(await trip(site.metadata))
    if (n % 10 === 0) bare.push(await recursion(site.metadata, root))
  }
  const ratio = (median(times) / median(bare)).toFixed(1)
  console.log(
    `the way to the database and back: median ${median(trips).toFixed(2)} ms, p99 ${p99Of(trips).toFixed(1)} ms; processor time of the server ${(usedMs / QUESTIONS).toFixed(1)} ms a question`
  )
  const about = `upstream to depth 10 (${(nodes / QUESTIONS).toFixed(0)} nodes on average)`
  return report(about, times, UPSTREAM_LIMIT_MS, `; recursive SQL ${median(bare).toFixed(1)} ms, ratio ${ratio}`)
}

/** A statement that finds nothing out: what is left of its time where the machine has other work is a yardstick for the rest. */
async function trip({ db }: Metadata): Promise<number> {
  const startedMs = performance.now()
  await sql`select 1`.execute(db)
  return performance.now() - startedMs
}

/** Written so that SQLite goes from what was reached to its edges; without statistics it would read all that have not ended at each step. */
async function recursion({ db }: Metadata, root: string): Promise<number> {
  const startedMs = performance.now()
  await sql`with recursive up (node, depth) as (
      select key, 0 from lineage_nodes where key = ${nodeKey(root)}
      union
      select from_node, depth + 1 from up cross join lineage_edges
      where to_node = node and +ended_ms is null and depth < 10
    ) select reference, min(depth) from up cross join lineage_nodes where key = node group by reference`.execute(db)
  return performance.now() - startedMs
}

async function impact(site: Site): Promise<boolean> {
  const times: number[] = []
  let total = 0
  for (let n = 0; n < 5; n++) {
    const { ms, answer } = await site.ask(`impact/${encodeURIComponent(site.graph.fanned)}?depth=10`)
    times.push(ms)
    total = answer.total
  }
  return report(`impact of ${total} nodes`, times, IMPACT_LIMIT_MS, '')
}

async function paths(site: Site): Promise<boolean> {
  const random = seeded(5)
  const { last } = site.graph
  const times: number[] = []
  for (let n = 0; n < QUESTIONS / 5; n++) {
    const to = last[Math.floor(random() * last.length)] as string
    const { answer } = await site.ask(`upstream/${encodeURIComponent(to)}?depth=20&limit=10000`)
    const from = answer.nodes.at(-1).id as string
    const { ms, answer: way } = await site.ask(`path?from=${encodeURIComponent(from)}&to=${encodeURIComponent(to)}`)
    if (!way.found) throw new Error(`No way from ${from} to ${to}`)
    times.push(ms)
  }
  return report('path through all layers', times, PATH_LIMIT_MS, '')
}

const p99Of = (times: readonly number[]): number =>
  times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)] as number

function report(about: string, times: readonly number[], limitMs: number, more: string): boolean {
  const p99 = p99Of(times)
  const ok = p99 < limitMs
  const figures = `median ${median(times).toFixed(1)} ms, p99 ${p99.toFixed(1)} ms (limit ${limitMs})`
  console.log(`${about}: ${figures}${ok ? '' : '  ABOVE'}${more}`)
  return ok
}

/** One event a request, as producers send them: ends of new runs of 500 jobs. */
async function events(site: Site): Promise<boolean> {
  const data = (name: string) => ({ namespace: 'postgres://db:5432', name: `shop.public.${name}` })
  const body = JSON.stringify({
    eventType: 'COMPLETE',
    eventTime: '{YYYY-MM-DDTHH:MM:SS.ms}',
    producer: 'https://example.org/bench',
    schemaURL: 'https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/RunEvent',
    run: { runId: '0191e3c8-0000-7000-8000-0000{000000}' },
    job: { namespace: 'bench', name: 'load_{000}' },
    inputs: [data('orders_{000}'), data('customers')],
    outputs: [data('sales_{000}')]
  })
  const load = { port: site.port, method: 'POST', path: '/api/v1/lineage', token: site.token, body }
  const before = site.usedMs()
  const { requestsPerS, p99Ms, wrongStatus } = await putLoad({ ...load, connections: 64, durationMs: INGEST_MS })
  const eachMs = (site.usedMs() - before) / (requestsPerS * (INGEST_MS / 1000))
  const ok = requestsPerS >= EVENTS_FLOOR && wrongStatus === 0
  console.log(
    `events taken in, one a request: ${requestsPerS.toFixed(0)}/s (floor ${EVENTS_FLOOR})${ok ? '' : '  BELOW'}, p99 ${p99Ms.toFixed(0)} ms, ${wrongStatus} refused; processor time of the server ${eachMs.toFixed(2)} ms each`
  )
  return ok
}
