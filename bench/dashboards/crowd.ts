import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildApp } from '../../src/app.ts'
import type { Area, AreaNeeds } from '../../src/area.ts'
import { AREAS, readConfig } from '../../src/areas.ts'
import { openPlatform, type Platform } from '../../src/platform.ts'

const PANELS = 12
const POINTS = 720
const STEP_MS = 5000

/** A platform in this process, with a dashboard of half SQL and half points. */
export interface Crowded {
  /** Where the data of all panels are. */
  readonly url: string
  readonly token: string
  /** Queries of points and of SQL that dashboards have asked so far. */
  asked(): number
  close(): Promise<void>
}

export async function openCrowded(refreshSeconds: number): Promise<Crowded> {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-bench-'))
  const platform = await openPlatform(readConfig({ DATA_DIR: folder, PORT: '0', RATE_LIMIT: '0', LOG_LEVEL: 'warn' }))
  let count = 0
  const app = buildApp(platform, AREAS.map(counted(() => count++)))
  await app.start()
  const address = await app.http.listen({ host: '127.0.0.1', port: 0 })
  const token = await tokenFor(platform)
  const call = async (path: string, body: unknown, type = 'application/json') => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': type }
    const response = await fetch(address + path, {
      method: 'POST',
      headers,
      body: typeof body === 'string' ? body : JSON.stringify(body)
    })
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
    return response
  }
  const source = (await (await call('/api/catalog/sources', { name: 'bench' })).json()) as { id: string }
  await call('/api/v2/write?bucket=bench&precision=ms', linesUntil(Date.now()), 'text/plain')
  const made = await call('/api/dashboards', {
    name: 'bench',
    panels: Array.from({ length: PANELS }, (_, n) => panelOf(n, source.id)),
    timeRange: { from: '-1h', to: 'now' },
    refreshSeconds
  })
  const { id } = (await made.json()) as { id: string }
  return {
    url: `${address}/api/dashboards/${id}/data`,
    token,
    asked: () => count,
    async close() {
      app.http.server.closeAllConnections()
      await app.stop()
      await platform.close()
      rmSync(folder, { recursive: true })
    }
  }
}

function panelOf(n: number, sourceId: string): object {
  const points = { sourceId, tags: [`t${n}`] }
  const sql = `SELECT time, value FROM input WHERE tag = 't${n}' AND time BETWEEN $from AND $to`
  const query = n % 2 === 0 ? points : { reference: `series://${sourceId}`, sql }
  return { id: `p${n}`, title: '', type: 'line', query, position: { x: 0, y: n, w: 12, h: 1 } }
}

const linesUntil = (endMs: number): string =>
  Array.from({ length: PANELS * POINTS }, (_, n) => {
    return `t${n % PANELS} value=${Math.sin(n)} ${endMs - Math.floor(n / PANELS) * STEP_MS}`
  }).join('\n')

function tokenFor({ issuer }: Platform): Promise<string> {
  if (issuer === undefined) throw new Error('An outside provider issues tokens')
  return issuer.issue({ subject: 'bench', name: 'bench', roles: ['editor'], ttlMs: 3600_000 })
}

/** Has dashboards ask what is counted. */
const counted =
  (count: () => void) =>
  (area: Area): Area => {
    if (area.name !== 'dashboards') return area
    const withCount = (needs: AreaNeeds): AreaNeeds => ({
      ...needs,
      plane: {
        query(query) {
          count()
          return needs.plane.query(query)
        },
        session: (data) => needs.plane.session(data),
        describe: (...asked) => needs.plane.describe(...asked),
        lineage: (question) => needs.plane.lineage(question)
      },
      series: async () => {
        count()
        return needs.series()
      }
    })
    return {
      ...area,
      load: async () => {
        const build = await area.load()
        return (needs) => build(withCount(needs))
      }
    }
  }
