import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { openStore } from '../../../engines/objects/index.ts'
import { type KeptFiles, keepInFolder, keepOnOwnDisk } from './kept-files.ts'
import { keepInStore } from './kept-in-store.ts'

const folder = mkdtempSync(join(tmpdir(), 'millrace-kept-'))
after(() => rmSync(folder, { recursive: true }))

const HOUR_MS = 3_600_000

/** The promise of both. */
async function holds(kept: KeptFiles): Promise<void> {
  const path = join(folder, 'come')
  const content = Buffer.from('x'.repeat(700_000))
  writeFileSync(path, content)
  await kept.keep('file_a', path)
  assert.equal(existsSync(path), false, 'it is taken over')
  await kept.load('file_a', join(folder, 'loaded'))
  assert.deepEqual(readFileSync(join(folder, 'loaded')), content)
  rmSync(join(folder, 'loaded'))
  const { sizeBytes, body } = await kept.read('file_a')
  const chunks: Uint8Array[] = []
  for await (const chunk of body) chunks.push(chunk)
  assert.equal(sizeBytes, content.length)
  assert.deepEqual(Buffer.concat(chunks), content)
  await assert.rejects(kept.load('file_b', join(folder, 'none')))
  assert.deepEqual(await kept.abandoned(), ['file_a'])
  await kept.drop(['file_a', 'file_b'])
  assert.deepEqual(await kept.abandoned(), [])
  await assert.rejects(kept.read('file_a'))
}

test('files are kept in a folder until they are dropped', () => holds(keepInFolder(join(folder, 'kept'))))

test('files are kept in a store until they are dropped; young ones count as wanted', async () => {
  const outbound = () => assert.fail('a store on disk calls nobody')
  const { store, close } = await openStore(
    { kind: 'disk', folder: join(folder, 'objects') },
    { outbound, now: Date.now }
  )
  let aheadMs = 2 * HOUR_MS
  const kept = keepInStore({ store: async () => store, bucket: 'millrace-pipelines', now: () => Date.now() + aheadMs })
  await holds(kept)
  writeFileSync(join(folder, 'young'), 'y')
  await kept.keep('file_young', join(folder, 'young'))
  assert.deepEqual(await kept.abandoned(), ['file_young'])
  aheadMs = 0
  assert.deepEqual(await kept.abandoned(), [])
  await close()
})

test('files on the own disk are kept and looked for by one replica only, and none is dropped as left over by another', async () => {
  let isAlone = true
  const kept = keepOnOwnDisk(keepInFolder(join(folder, 'own')), async () => {
    if (!isAlone) throw new Error('not alone')
  })
  await holds(kept)
  writeFileSync(join(folder, 'mine'), 'x')
  await kept.keep('file_c', join(folder, 'mine'))
  isAlone = false
  writeFileSync(join(folder, 'more'), 'y')
  await assert.rejects(kept.keep('file_d', join(folder, 'more')), /not alone/)
  assert.ok(existsSync(join(folder, 'more')), 'it is not taken over')
  await assert.rejects(kept.load('file_c', join(folder, 'elsewhere')), /not alone/)
  await assert.rejects(kept.read('file_c'), /not alone/)
  assert.deepEqual(await kept.abandoned(), [])
  isAlone = true
  assert.deepEqual(await kept.abandoned(), ['file_c'])
})
