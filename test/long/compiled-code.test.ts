// Once: what is proven is about compiled code.
import assert from 'node:assert/strict'
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { eventually } from '../support/eventually.ts'
import { openSite } from '../support/pipelines/site.ts'
import { runToEnd } from '../support/process.ts'

const folder = mkdtempSync(join(tmpdir(), 'millrace-compiled-'))
after(() => rmSync(folder, { recursive: true }))

/** Loaded at the start, by an area when it is first used, by threads, and by processes of pipelines and their threads. */
const LOADED = [
  'src/serve.ts',
  'src/areas/pipelines/body.ts',
  'src/engines/objects/disk/index-worker.ts',
  'src/engines/series/duckdb/keeper/worker.ts',
  'src/engines/series/duckdb/reader/worker.ts',
  'src/areas/pipelines/host/main.ts',
  'src/areas/pipelines/host/memory-watch.ts',
  'src/areas/pipelines/host/check-nodes.ts'
]

const isKept = (file: string, within = folder) =>
  globSync(join(within, '*/*')).some((path) => readFileSync(path, 'latin1').includes(`/${file}`))

test('what a server and its pipelines have loaded is kept for the next, though all of them are killed', async () => {
  const site = await openSite({ NODE_COMPILE_CACHE: folder })
  try {
    const { id: source } = await site.client.post('/catalog/sources', { name: 'plant' })
    await site.client.post('/buckets', { name: 'kept' })
    await site.launch('points', [
      { id: 'gen', type: 'generate', config: { ratePerS: 2, fields: { time: 'now()', value: 'n' } } },
      { id: 'out', type: 'series', config: { source, time: 'time', tag: "'t'", value: 'value' }, inputs: ['gen'] }
    ])
    await eventually(() =>
      assert.deepEqual(
        LOADED.filter((file) => isKept(file)),
        LOADED
      )
    )
  } finally {
    await site.close()
  }
})

test('a process of pipelines loads what calls somebody, checks or previews when it is asked to', async () => {
  const loaded = join(folder, 'host')
  const { code } = await runToEnd(['src/areas/pipelines/host/main.ts'], { NODE_COMPILE_CACHE: loaded })
  assert.equal(code, 0)
  assert.ok(isKept('src/areas/pipelines/host/main.ts', loaded))
  assert.ok(isKept('src/areas/pipelines/host/hosted-run.ts', loaded))
  const later = [
    'src/engines/outbound/index.ts',
    'undici/',
    'host/check-nodes.ts',
    'host/preview.ts',
    'files/reader.ts'
  ]
  assert.deepEqual(
    later.filter((file) => isKept(file, loaded)),
    []
  )
})
