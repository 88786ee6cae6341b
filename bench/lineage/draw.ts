// Draws the large graph into the installation that the environment names, tells whoever has forked it, and ends: what it takes to
// draw a million edges fills hundreds of megabytes of memory, and clearing that away would be measured with the questions.
import { sql } from 'kysely'
import { buildApp } from '../../src/app.ts'
import { readConfig } from '../../src/areas.ts'
import { openPlatform } from '../../src/platform.ts'
import { drawLargeGraph, type LargeGraph } from './large-graph.ts'

export interface Drawn {
  readonly graph: LargeGraph
  readonly token: string
}

const platform = await openPlatform(readConfig(process.env))
const app = buildApp(platform)
await app.start()
const graph = await drawLargeGraph(platform.metadata)
// PostgreSQL does so by itself within a minute; in the middle of the questions it would be measured with them.
if (platform.metadata.dialect === 'postgres') await sql`vacuum analyze`.execute(platform.metadata.db)
const token = await platform.issuer?.issue({ subject: 'bench', name: 'bench', roles: ['editor'], ttlMs: 3600_000 })
await app.stop()
await platform.close()
const drawn: Drawn = { graph, token: token as string }
process.send?.(drawn, () => process.disconnect?.())
