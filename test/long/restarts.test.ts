// Once: what is proven is about hosts and how they begin; transactions of both databases have suites of their own.
import { test } from 'node:test'
import { eventually } from '../support/eventually.ts'
import type { Client } from '../support/pipelines/client.ts'
import { openMortalSite } from '../support/pipelines/mortal-site.ts'
import { tries } from '../support/thorough.ts'

const PIPELINES = 100
const RESTARTS = tries(20, 50)
const AGAIN_WITHIN_MS = 60_000

const nodes = (source: string, number: number) => [
  { id: 'gen', type: 'generate', config: { ratePerS: 2, fields: { time: 'now()', value: 'n' } }, inputs: [] },
  {
    id: 'out',
    type: 'series',
    config: { source, time: 'time', tag: `'t${number}'`, value: 'value' },
    inputs: ['gen']
  }
]

test('a hundred pipelines go on after each of many kills', { timeout: 1_800_000 }, async (t) => {
  const site = await openMortalSite()
  try {
    const { id: source } = await site.client.post('/catalog/sources', { name: 'restarts' })
    const ids: string[] = []
    for (let number = 0; number < PIPELINES; number++) {
      const { id } = await site.client.post('/pipelines', { name: `p${number}`, nodes: nodes(source, number) })
      ids.push(id)
    }
    await Promise.all(ids.map((id) => site.client.post(`/pipelines/${id}/start`)))
    await allRun(site.client)
    const took: number[] = []
    for (let restart = 1; restart <= RESTARTS; restart++) {
      const before = await Promise.all(ids.map((id) => written(site.client, id)))
      await site.kill()
      const startedMs = performance.now()
      await site.revive()
      await allRun(site.client)
      await allGoOn(site.client, ids, before)
      took.push(performance.now() - startedMs)
    }
    t.diagnostic(`longest ${Math.round(Math.max(...took))} ms until all went on`)
  } finally {
    await site.close()
  }
})

function allRun(client: Client): Promise<boolean> {
  return eventually(async () => {
    const { total } = await client.get('/pipelines?status=running&limit=1')
    return total === PIPELINES
  }, AGAIN_WITHIN_MS)
}

/** One after the other: which has gone on is not asked again. */
function allGoOn(client: Client, ids: readonly string[], before: readonly number[]): Promise<boolean> {
  let gone = 0
  return eventually(async () => {
    for (; gone < ids.length; gone++) {
      if ((await written(client, ids[gone] as string)) <= (before[gone] as number)) return false
    }
    return true
  }, AGAIN_WITHIN_MS)
}

async function written(client: Client, id: string): Promise<number> {
  const { run } = await client.get(`/pipelines/${id}`)
  return run.ledger.recordsWritten
}
