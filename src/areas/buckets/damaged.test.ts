// Once: objects on the disk.
import assert from 'node:assert/strict'
import { readdirSync, rmSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/support/app.ts'
import { eventually } from '../../../test/support/eventually.ts'
import { flipByte } from '../../../test/support/flip.ts'
import { get, makeBucket, put } from '../../../test/support/objects/client.ts'
import { checkDisk } from '../../disk-health.ts'
import { pattern } from '../../engines/objects/testing/bodies.ts'

const BUCKET = 'damaged'
const CONTENT = pattern(300_000)

describe('an object that the disk has not kept', () => {
  let test: TestApp

  before(async () => {
    test = await startTestApp()
    await makeBucket(test, BUCKET)
  })
  after(() => test.close())

  const files = () =>
    readdirSync(join(test.database.folder, 'objects/builtin/contents'), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name))

  async function make(key: string): Promise<string> {
    const earlier = new Set(files())
    await put(test, BUCKET, key, CONTENT)
    return files().find((file) => !earlier.has(file)) as string
  }

  const ways: [string, (file: string) => void][] = [
    ['was changed at its beginning', (file) => flipByte(file, 100)],
    ['was cut short', (file) => truncateSync(file, 200_000)],
    ['is missing', (file) => rmSync(file)]
  ]
  for (const [i, [how, damage]] of ways.entries()) {
    it(`and ${how} is refused from the first request on, and counted`, async () => {
      const key = `object ${i}`
      damage(await make(key))
      for (let time = 0; time < 2; time++) {
        const { status, body } = await get(test, BUCKET, key)
        assert.deepEqual([status, body.code], [500, 'object_damaged'])
        assert.match(body.detail, /upload it again or restore it from a backup\.$/)
      }
      await eventually(() => assert.rejects(checkDisk(test.platform), new RegExp(`${i + 1} object\\(s\\) are damaged`)))
    })
  }
})
