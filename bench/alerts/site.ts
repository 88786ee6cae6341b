import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildApp } from '../../src/app.ts'
import type { Area } from '../../src/area.ts'
import { ask, toNs } from '../../src/areas/alerts/evaluation/windows.ts'
import type { RuleRow } from '../../src/areas/alerts/migrations.ts'
import { AREAS, readConfig } from '../../src/areas.ts'
import type { Worker } from '../../src/engines/jobs/index.ts'
import { openPlatform, type Platform } from '../../src/platform.ts'

const ROWS_AT_ONCE = 100
const EVALUATE = 'alerts.evaluate'
const HOUR_MS = 3600_000
const THRESHOLD = 80

/** A platform in this process, with rules that each watch a tag of their own and tell one channel. */
export interface Site {
  readonly platform: Platform
  /** Writes a point of every tag. */
  write(value: number): Promise<void>
  /** Has all rules due, and waits for the job that evaluates them; answers how many milliseconds that took. */
  evaluate(): Promise<number>
  /** Asks the engine for the last values of all tags and compares them; answers how many milliseconds that took. */
  compareBare(): Promise<number>
  close(): Promise<void>
}

interface Telling {
  /** Of the receiver. */
  readonly url: string
  readonly groupBy: readonly string[]
  readonly groupWait: string
}

export async function openSite(count: number, { url, groupBy, groupWait }: Telling): Promise<Site> {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-bench-'))
  const settings = { DATA_DIR: folder, PORT: '0', RATE_LIMIT: '0', LOG_LEVEL: 'warn', ALLOWED_HOSTS: '127.0.0.1' }
  const platform = await openPlatform(readConfig(settings))
  const { metadata } = platform
  const looks: { readonly fromMs: number; readonly tookMs: number }[] = []
  const app = buildApp(platform, AREAS.map(timed((fromMs, tookMs) => looks.push({ fromMs, tookMs }))))
  await app.start()
  const call = caller(platform, await app.http.listen({ host: '127.0.0.1', port: 0 }))
  const source = await call('/api/catalog/sources', { name: 'bench' })
  const channel = await call('/api/alerts/channels', {
    name: 'bench',
    type: 'webhook',
    config: { url },
    groupBy,
    groupWait
  })
  const condition = { sourceId: source.id, tag: tagOf(0), function: 'last', window: '1h', operator: '>' }
  const { id: firstId } = await call('/api/alerts/rules', {
    name: 'bench',
    condition: { ...condition, threshold: THRESHOLD },
    // Those that are made due are not due again while the benchmark lasts.
    intervalSeconds: 3600,
    channels: [channel.id]
  })
  await copyRule(platform, firstId, count)
  return {
    platform,
    async write(value) {
      const lines = Array.from({ length: count }, (_, at) => `${tagOf(at)} value=${value} ${Date.now() - 1}`)
      await call('/api/v2/write?bucket=bench&precision=ms', lines.join('\n'))
    },
    async evaluate() {
      const nowMs = Date.now()
      await metadata.transaction((tx) => tx.updateTable('alert_rules').set({ next_ms: nowMs }).execute())
      const isDue = metadata.db.selectFrom('alert_rules').select('id').where('next_ms', '<=', nowMs).limit(1)
      while ((await isDue.execute()).length > 0 || looks.every(({ fromMs }) => fromMs < nowMs)) await passed(50)
      const [look] = looks.filter(({ fromMs }) => fromMs >= nowMs)
      return (look as (typeof looks)[number]).tookMs
    },
    async compareBare() {
      const series = await platform.series()
      const startedMs = performance.now()
      const query = {
        sourceId: source.id,
        tags: Array.from({ length: count }, (_, at) => tagOf(at)),
        fromNs: toNs(Date.now() - HOUR_MS),
        toNs: toNs(Date.now()),
        bucket: { count: 1000, unit: 'y' },
        functions: ['last'],
        limitPoints: 2 * count
      } as const
      const found = await ask(series, query, new AbortController().signal)
      const met = found.filter(({ points }) => Number(points.at(-1)?.value) > THRESHOLD)
      const tookMs = performance.now() - startedMs
      if (found.length !== count || (met.length !== 0 && met.length !== count)) throw new Error('values are missing')
      return tookMs
    },
    async close() {
      await app.stop()
      await platform.close()
      rmSync(folder, { recursive: true })
    }
  }

  /** The area with a clock around its evaluations. */
  function timed(took: (fromMs: number, tookMs: number) => void) {
    return (area: Area): Area =>
      area.name === 'alerts'
        ? {
            ...area,
            load: async () => async (needs) => {
              const body = await (await area.load())(needs)
              const real = body.jobs?.[EVALUATE] as Worker<never>
              const evaluate: Worker<never> = async (job) => {
                const [fromMs, startedMs] = [Date.now(), performance.now()]
                await real(job)
                took(fromMs, performance.now() - startedMs)
              }
              return { ...body, jobs: { ...body.jobs, [EVALUATE]: evaluate } }
            }
          }
        : area
  }
}

const passed = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
const tagOf = (at: number) => `metric${at}`

function caller(platform: Platform, origin: string) {
  return async (path: string, body: object | string): Promise<{ readonly id: string }> => {
    const who = { subject: 'bench', name: 'bench', ttlMs: HOUR_MS }
    const token = await platform.issuer?.issue({ ...who, roles: ['admin'] })
    const isText = typeof body === 'string'
    const response = await fetch(`${origin}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': isText ? 'text/plain' : 'application/json' },
      body: isText ? body : JSON.stringify(body)
    })
    const text = await response.text()
    if (!response.ok) throw new Error(text)
    return text === '' ? { id: '' } : JSON.parse(text)
  }
}

/** The first was made by way of the API, so that the others are copies of what a user makes. */
async function copyRule({ metadata }: Platform, firstId: string, count: number): Promise<void> {
  const { db } = metadata
  const ofFirst = (table: 'alert_rule_uses' | 'alert_rule_channels') =>
    db.selectFrom(table).selectAll().where('rule_id', '=', firstId).executeTakeFirstOrThrow()
  const first = await db.selectFrom('alert_rules').selectAll().where('id', '=', firstId).executeTakeFirstOrThrow()
  const [use, channel] = [await ofFirst('alert_rule_uses'), await ofFirst('alert_rule_channels')]
  await metadata.transaction(async (tx) => {
    for (let from = 1; from < count; from += ROWS_AT_ONCE) {
      const size = Math.min(ROWS_AT_ONCE, count - from)
      const rules = Array.from({ length: size }, (_, at) => copyOf(first, from + at))
      const own = <T>(row: T) => rules.map(({ id }) => ({ ...row, rule_id: id }))
      await tx.insertInto('alert_rules').values(rules).execute()
      await tx
        .insertInto('alert_rule_uses')
        .values(own(use) as never)
        .execute()
      await tx
        .insertInto('alert_rule_channels')
        .values(own(channel) as never)
        .execute()
    }
  })
}

function copyOf(first: RuleRow, at: number): RuleRow {
  const definition = first.definition.replace(`"${tagOf(0)}"`, `"${tagOf(at)}"`)
  return { ...first, id: `alr_0${String(at).padStart(7, '0')}`, name: `bench ${at}`, definition }
}
